/** Address of the start page while a profile is open. */
export const START_PATH = '/start';

export function isStartPath(href: string): boolean {
  return href.split('?', 1)[0] === START_PATH;
}

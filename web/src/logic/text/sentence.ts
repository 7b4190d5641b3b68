/** With a capital and a stop; messages of the server have neither. */
export function sentence(text: string): string {
  return text === '' ? '' : text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}

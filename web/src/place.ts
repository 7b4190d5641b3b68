import type { Browser } from './state/page/browser';

/** The page on a server: its address is the path. Report files use place-file.ts instead, sites place-site.ts. */

export type Place = Pick<
  Browser,
  'kind' | 'made' | 'readUrl' | 'link' | 'absolute' | 'push' | 'replace' | 'onMove' | 'listen' | 'startLayout'
>;

/** Data that the server wrote into the page: the answer to its first request. */
export function open(): Promise<unknown> {
  try {
    return Promise.resolve(JSON.parse(document.getElementById('boot')?.textContent ?? 'null'));
  } catch {
    return Promise.resolve(null);
  }
}

export const place: Place = {
  kind: 'server',
  made: 0,
  readUrl: () => location.pathname + location.search,
  link: (href) => href,
  absolute: (href) => new URL(href, location.href).href,
  push: (href) => {
    history.pushState(null, '', href);
  },
  replace: (href) => {
    history.replaceState(null, '', href);
  },
  onMove: (moved) => {
    window.addEventListener('popstate', moved);
  },
  listen: (path, { onMessage, onEnd }) => {
    const source = new EventSource(path);
    source.addEventListener('meta', (event) => {
      onMessage(String(event.data));
    });
    // state/server/connection.ts decides when to retry.
    source.addEventListener('error', () => {
      source.close();
      onEnd();
    });
    return () => {
      source.close();
    };
  },
  startLayout: () => Promise.resolve(new Worker(new URL('./workers/layout.ts', import.meta.url), { type: 'module' })),
};

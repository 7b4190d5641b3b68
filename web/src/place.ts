import { askBelow } from './api/fetch';
import type { Browser } from './state/page/browser';

/** Where the addresses of the profile begin, such as `/d/abc` on a server with several; empty for the only one. */
const prefix = document.querySelector('meta[name=prefix]')?.getAttribute('content') ?? '';
askBelow(prefix);

/** The page of a team server that lists this profile. */
const home = document.querySelector('meta[name=home]')?.getAttribute('content') ?? '';

/** The page on a server: its address is the path. Report files use place-file.ts instead, sites place-site.ts. */

export type Place = Pick<
  Browser,
  'kind' | 'home' | 'made' | 'readUrl' | 'link' | 'absolute' | 'push' | 'replace' | 'onMove' | 'listen' | 'startLayout'
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
  home,
  made: 0,
  readUrl: () => (location.pathname.startsWith(`${prefix}/`) ? location.pathname.slice(prefix.length) : '/') + location.search,
  link: (href) => prefix + href,
  absolute: (href) => new URL(prefix + href, location.href).href,
  push: (href) => {
    history.pushState(null, '', prefix + href);
  },
  replace: (href) => {
    history.replaceState(null, '', prefix + href);
  },
  onMove: (moved) => {
    window.addEventListener('popstate', moved);
  },
  listen: (path, { onMessage, onEnd }) => {
    const source = new EventSource(prefix + path);
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

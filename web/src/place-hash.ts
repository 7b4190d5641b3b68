import type { Browser } from './state/page/browser';

/** Addresses of pages without a server: what follows the `#`, so that links, back and reload work. */
export const hashAddress: Pick<Browser, 'readUrl' | 'link' | 'absolute' | 'push' | 'replace' | 'onMove'> = {
  readUrl: () => location.hash.slice(1) || '/',
  link: (href) => `#${href}`,
  absolute: (href) => new URL(`#${href}`, location.href).href,
  push: (href) => {
    history.pushState(null, '', `#${href}`);
  },
  replace: (href) => {
    history.replaceState(null, '', `#${href}`);
  },
  onMove: (moved) => {
    window.addEventListener('popstate', moved);
  },
};

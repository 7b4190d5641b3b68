import { askInstead } from './api/fetch';
import { readData } from './offline/data';
import { createEngine } from './offline/engine';
import type { Place } from './place';

/**
 * The page as a file: its questions are answered here, and its address is what stands behind the `#`,
 * so that links, back and reload work where there is no server. Takes the place of place.ts when
 * report files are built.
 */

/** Content of a script element: gzip in base64. */
async function carried(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const element = document.getElementById(id);
  const packed = atob(element?.textContent ?? '');
  // Megabytes that are not needed again.
  element?.remove();
  const bytes = Uint8Array.from(packed, (c) => c.charCodeAt(0));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** Reads the data and begins to answer. */
export async function open(): Promise<unknown> {
  const data = readData(await carried('data'));
  const engine = createEngine(data);
  askInstead((path) => Promise.resolve(engine.answer(path)));
  const path = data.path ?? '/';
  if (location.hash === '' && (data.query !== '' || path !== '/')) place.replace(`${path}${data.query === '' ? '' : `?${data.query}`}`);
  // A report of a view shows just that; without one, the query is what a bare address stands for.
  return path === '/' ? { ...data.meta, query: [...new URLSearchParams(data.query)] } : data.meta;
}

/** The layout engine, unpacked when a graph is drawn first. */
let layout: Promise<string> | undefined;

export const place: Place = {
  inFile: true,
  made: (Date.parse(document.querySelector('meta[name=date]')?.getAttribute('content') ?? '') || 0) * 1e6,
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
  // A report file never changes.
  listen: () => () => undefined,
  startLayout: async () => {
    layout ??= carried('layout').then((bytes) => {
      // Pages on disk cannot load modules; the engine is a classic script apart from `import.meta.url`.
      const script = new TextDecoder().decode(bytes).replaceAll('import.meta.url', 'self.location.href');
      return URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    });
    return new Worker(await layout);
  },
};

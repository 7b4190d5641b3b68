import { askInstead } from './api/fetch';
import { openInstead } from './api/upload';
import { hashAddress } from './place-hash';
import { createWorkspace } from './site/workspace';
import type { Place } from './place';

/**
 * The page as a static site: it opens files that are dropped on it, answered by the engine in a worker, and its address is what
 * follows the `#`. Takes the place of place.ts when sites are built.
 */

/** The version of heapview, from `heapview 1.2.3`. */
function version(): string {
  const generator = document.querySelector('meta[name=generator]')?.getAttribute('content') ?? '';
  return generator.split(' ')[1] ?? '';
}

/** A file beside this script, whose folder is named for its content. */
function fileOfSite(name: string): string {
  const script: string = import.meta.url;
  return new URL(name, script).href;
}

async function load(name: string): Promise<ArrayBuffer> {
  const response = await fetch(fileOfSite(name)).catch(() => undefined);
  if (response?.ok === true) return response.arrayBuffer();
  const why = response === undefined ? 'the server does not answer' : `the server answered ${response.status}`;
  throw new Error(`${name} could not be loaded: ${why}; reload the page`);
}

/** Keeps the site for use without network. Browsers allow it over https and on this machine. */
function keepOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.register('service-worker.js').catch((error: unknown) => {
    console.info(`This page is not kept for use without network: ${String(error)}`);
  });
}

const workspace = createWorkspace({
  startWorker: () => new Worker(new URL('./engine/worker.ts', import.meta.url), { type: 'module' }),
  load,
  version: version(),
});

export function open(): Promise<unknown> {
  keepOffline();
  askInstead(workspace.ask);
  openInstead(workspace.openFiles);
  return Promise.resolve(workspace.meta());
}

export const place: Place = {
  kind: 'site',
  home: '',
  made: 0,
  ...hashAddress,
  listen: (_, { onMessage }) => workspace.listen(onMessage),
  startLayout: () => Promise.resolve(new Worker(fileOfSite('layout.js'), { type: 'module' })),
};

import { decompress } from 'fzstd';
import { askInstead } from './api/fetch';
import { fromBase85 } from './engine/base85';
import { createEngineClient } from './engine/client';
import EngineWorker from './engine/worker?worker&inline';
import type { Place } from './place';
import { hashAddress } from './place-hash';

/**
 * The page as a file: its questions are answered by the engine in a worker, and its address is what follows the `#`, so that
 * links, back and reload work where there is no server. Takes the place of place.ts when report files are built.
 */

/** Takes the content out of a script element: megabytes that are not needed again. */
function take(id: string): string {
  const element = document.getElementById(id);
  const text = element?.textContent ?? '';
  element?.replaceChildren();
  return text;
}

/** Waits for all elements: the script comes before them, so that it also runs in a truncated file. */
function loaded(): Promise<unknown> {
  return document.readyState === 'loading'
    ? new Promise((resolve) => {
        document.addEventListener('DOMContentLoaded', resolve);
      })
    : Promise.resolve();
}

/**
 * The data as the report file that it is in, without the rest of the page: the core reads it like any report file, and refuses
 * one that is damaged with the same sentence. Nothing follows an element that has no end.
 */
function reportFile(): { readonly name: string; readonly text: string } {
  const element = document.getElementById('data');
  const isWhole = (element?.nextSibling ?? null) !== null;
  const packed = take('data');
  // The element is empty now.
  const [start = '', end = ''] = (element?.outerHTML ?? '').split(/(?=<\/)/);
  const head = document.querySelector('meta[name=generator]')?.outerHTML ?? '';
  const name = decodeURIComponent(location.pathname.split('/').at(-1) ?? '') || 'this file';
  return { name, text: `<!doctype html>${head}${start}${packed}${isWhole ? end : ''}` };
}

/** Address of the first view, such as `/top?f=cache`; empty: everything. */
function firstView(): string {
  return document.querySelector('meta[name=address]')?.getAttribute('content') ?? '';
}

/** Reads the data and begins to answer. */
export async function open(): Promise<unknown> {
  await loaded();
  const engine = createEngineClient(() => new EngineWorker(), { kind: 'open', wasm: take('engine'), files: [reportFile()] });
  askInstead(engine.ask);
  const opened = await engine.open();
  if (!opened.ok) return undefined;
  const meta: unknown = await (await engine.ask('/api/v1/meta')).json();
  const address = firstView();
  if (location.hash === '' && address !== '') place.replace(address);
  // A report of a view shows just that; without one, the query is what a bare address stands for.
  const [path, query] = address.split('?', 2);
  return path === '/' && typeof meta === 'object' ? { ...meta, query: [...new URLSearchParams(query)] } : meta;
}

/** Address of the layout engine, which is unpacked when a graph is drawn first. */
let layout: string | undefined;

function layoutAddress(): string {
  const script = new TextDecoder().decode(decompress(fromBase85(take('layout'))));
  // Pages on disk cannot load modules; the engine is a classic script apart from `import.meta.url`.
  const classic = script.replaceAll('import.meta.url', 'self.location.href');
  return URL.createObjectURL(new Blob([classic], { type: 'text/javascript' }));
}

export const place: Place = {
  kind: 'report',
  home: '',
  made: (Date.parse(document.querySelector('meta[name=date]')?.getAttribute('content') ?? '') || 0) * 1e6,
  ...hashAddress,
  // A report file never changes.
  listen: () => () => undefined,
  startLayout: () => {
    layout ??= layoutAddress();
    return Promise.resolve(new Worker(layout));
  },
};

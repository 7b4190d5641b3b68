import type { DumpMeta } from '../../api/types';
import { baseName } from '../names/names';
import { param, patchUrl, type ViewUrl } from './view-url';

/**
 * Addresses name dumps by position. A link that is handed out also has their file names, so that it finds them where other
 * files are open, or the page reports that they are not.
 */

/** Position parameters, each with the one that has the names. */
const NAMED = [
  ['dump', 'dump_name'],
  ['base', 'base_name'],
  ['diff_base', 'base_name'],
] as const;

/** Longest name in a link, in characters. */
const LONGEST = 120;

function positions(url: ViewUrl, key: string): readonly number[] {
  const text = param(url, key);
  return text === '' ? [] : text.split(',').map(Number);
}

function nameOf(dump: DumpMeta | undefined): string {
  return baseName(dump?.name ?? '').slice(0, LONGEST);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The same address with the names of its dumps. */
export function withDumpNames(url: ViewUrl, dumps: readonly DumpMeta[]): ViewUrl {
  let named = url;
  for (const [key, names] of NAMED) {
    const all = positions(url, key).map((at) => encodeURIComponent(nameOf(dumps[at])));
    if (all.length > 0) named = patchUrl(named, { [names]: all.join(',') });
  }
  return named;
}

export interface Resolved {
  /** The address without names; its positions are those of the named dumps where these are open. */
  readonly url: ViewUrl;
  /** Why the page may show something other than the link was made for; empty if it does not. */
  readonly note: string;
}

/** Finds the dumps that a link names. */
export function resolveDumps(url: ViewUrl, dumps: readonly DumpMeta[]): Resolved {
  let resolved = url;
  const notes: string[] = [];
  for (const [key, names] of NAMED) {
    const wanted = param(url, names).split(',').map(decoded);
    const found = positions(url, key).map((at, i) => {
      const name = wanted[i] ?? '';
      if (name === '' || nameOf(dumps[at]) === name) return at;
      const same = dumps.flatMap((dump, j) => (nameOf(dump) === name ? [j] : []));
      const [only] = same;
      if (only !== undefined && same.length === 1) return only;
      const here = dumps[at] === undefined ? '' : ` Dump ${at + 1} here is ${nameOf(dumps[at])}.`;
      notes.push(`This link was made for ${name}, which is not open.${here}`);
      return at;
    });
    if (found.length > 0) resolved = patchUrl(resolved, { [key]: found.join(',') });
  }
  const isNamed = NAMED.some(([, names]) => param(url, names) !== '');
  return { url: isNamed ? patchUrl(resolved, { dump_name: '', base_name: '' }) : url, note: notes.join(' ') };
}

/** The first named dump that is not open, as a sentence and the parameter that names it. */
export function missingDump(url: ViewUrl, dumps: readonly DumpMeta[]): { readonly text: string; readonly key: string } | undefined {
  for (const [key] of NAMED) {
    const at = positions(url, key).find((n) => Number.isInteger(n) && n >= dumps.length);
    if (at === undefined) continue;
    const open = dumps.length === 1 ? 'only one dump is' : `only ${dumps.length} dumps are`;
    const use = key === 'dump' ? `dump ${at + 1}` : `dump ${at + 1} for comparison`;
    return { key, text: `This link points to ${use}, but ${open} open.` };
  }
  return undefined;
}

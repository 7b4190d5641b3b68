import type { DumpMeta } from '../api/types';
import { param, type Patch, type ViewUrl } from './view-url';

/** Which dumps an address shows and compares with: numbers as written there, empty when none is named. */
export interface Pair {
  readonly shown: string;
  readonly base: string;
}

export function pairOf(url: ViewUrl): Pair {
  return { shown: param(url, 'dump'), base: param(url, 'diff_base') || param(url, 'base') };
}

/** Puts a pair into the address, as percentages of the same side as before. */
export function patchOf(url: ViewUrl, { shown, base }: Pair): Patch {
  const ofBase = param(url, 'diff_base') !== '';
  return { dump: shown, base: ofBase ? '' : base, diff_base: ofBase ? base : '', zoom: '' };
}

/** Dumps that are shown when the address names none. */
export function usual(dumps: readonly DumpMeta[]): readonly number[] {
  return dumps.flatMap((dump, i) => (dump.is_base || dump.is_added || dump.is_thinned === true ? [] : [i]));
}

/** The dumps of one process. */
export interface Process {
  readonly series: string;
  /** Indexes, the first one taken first. */
  readonly dumps: readonly number[];
}

/** When a dump was taken, or else its file written; 0 when unknown. */
export function takenAt(dump: DumpMeta): number {
  return dump.time_nanos || dump.file_time;
}

/** Dumps by process, in the order in which they were taken, without those that `-watch` thinned out: their numbers stay taken. */
export function processes(dumps: readonly DumpMeta[]): readonly Process[] {
  const named = new Map<string, number[]>();
  dumps.forEach((dump, i) => {
    if (dump.is_thinned === true) return;
    const known = named.get(dump.series);
    if (known === undefined) named.set(dump.series, [i]);
    else known.push(i);
  });
  const place = (i: number): number => dumps[i]?.number ?? 0;
  return [...named].map(([series, all]) => ({ series, dumps: all.sort((a, b) => place(a) - place(b) || a - b) }));
}

/** Where a dump is among those of its process, in words; empty when it is alone. */
export function placeOf(at: number, dumps: readonly DumpMeta[]): string {
  const process = processes(dumps).find((p) => p.dumps.includes(at));
  if (process === undefined || process.series === '' || process.dumps.length < 2) return '';
  return `${process.dumps.indexOf(at) + 1} of ${process.dumps.length}`;
}

/** What is shown when no dump is named. */
export function usualName(dumps: readonly DumpMeta[]): string {
  if (usual(dumps).length > 1) return 'all that were given, added';
  return dumps.some((dump) => dump.is_added && dump.series !== '') ? 'the last one' : 'what was given';
}

/** Another base. Alone it would be compared with the sum of all others: of several the last is taken instead. */
export function withBase({ shown, base: before }: Pair, base: string, dumps: readonly DumpMeta[]): Pair {
  if (base === '') return { shown, base };
  const others = usual(dumps).filter((i) => String(i) !== base);
  const last =
    others.at(-1) ??
    Math.max(
      0,
      dumps.findLastIndex((dump, i) => String(i) !== base && dump.is_thinned !== true),
    );
  if (shown === base) return { shown: before !== '' && before !== base ? before : String(last), base };
  // Nothing is left to show where the base is all that is shown.
  if (shown === '' && (usual(dumps).length !== 1 || others.length === 0)) return { shown: String(last), base };
  return { shown, base };
}

/** What was shown becomes the base, and the other way round. */
export function swapped({ shown, base }: Pair, dumps: readonly DumpMeta[]): Pair {
  return { shown: base, base: shownOf({ shown, base }, dumps) };
}

/** The dumps that are shown, by number: those that are named, else all that count but the base. */
export function shownOf({ shown, base }: Pair, dumps: readonly DumpMeta[]): string {
  if (shown !== '') return shown;
  return usual(dumps)
    .filter((i) => !base.split(',').includes(String(i)))
    .join(',');
}

/** What a number, or several, is called. */
export function nameOf(numbers: string, dumps: readonly DumpMeta[], baseName: (path: string) => string): string {
  const all = numbers.split(',');
  const first = dumps[Number(all[0])];
  if (first === undefined) return `dump ${numbers}`;
  return all.length === 1 ? baseName(first.name) : `${all.length} dumps added`;
}

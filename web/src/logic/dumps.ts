import type { DumpMeta } from '../api/types';
import { momentName } from './text/elapsed';
import { param, type Patch, type ViewUrl } from './url/view-url';

/** The current dump and the baseline of an address: numbers as written there, empty when none is named. */
export interface Pair {
  readonly shown: string;
  readonly base: string;
}

export function pairOf(url: ViewUrl): Pair {
  return { shown: param(url, 'dump'), base: param(url, 'diff_base') || param(url, 'base') };
}

/** Puts a pair into the address, in place of times; percentages stay those of the same side. */
export function patchOf(url: ViewUrl, { shown, base }: Pair): Patch {
  const ofBase = param(url, 'diff_base') !== '';
  return { dump: shown, base: ofBase ? '' : base, diff_base: ofBase ? base : '', at: '', from: '', to: '', zoom: '' };
}

/** Default dumps. */
export function usual(dumps: readonly DumpMeta[]): readonly number[] {
  return dumps.flatMap((dump, i) => (dump.is_base || dump.is_added || dump.is_thinned === true ? [] : [i]));
}

/** The dumps of one process. */
export interface Process {
  readonly series: string;
  /** Indexes, the first one taken first. */
  readonly dumps: readonly number[];
}

/** Time of a dump, or of its file, in nanoseconds since 1970; 0 if unknown. */
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

/** Position of a dump within its process, as text; empty for a single dump. */
export function placeOf(at: number, dumps: readonly DumpMeta[]): string {
  const process = processes(dumps).find((p) => p.dumps.includes(at));
  if (dumps[at]?.moment !== undefined) return '';
  if (process === undefined || process.series === '' || process.dumps.length < 2) return '';
  return `${process.dumps.indexOf(at) + 1} of ${process.dumps.length}`;
}

/** Label of the default dump. */
export function usualName(dumps: readonly DumpMeta[]): string {
  if (usual(dumps).length > 1) return 'all dumps, added up';
  const one = dumps[usual(dumps)[0] ?? -1];
  if (dumps.some((dump) => dump.moment !== undefined && dump.series === one?.name)) return 'whole recording';
  return dumps.some((dump) => dump.is_added && dump.series !== '') ? 'latest dump' : 'the given dump';
}

/** Another dump to show. It is never compared with itself. */
export function withShown({ base }: Pair, shown: string): Pair {
  return { shown, base: base === shown ? '' : base };
}

/** Another baseline. When no dump is named, it is compared with the last of the others, not with their sum. */
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
  // If the base is the only shown dump, nothing would be left to show.
  if (shown === '' && (usual(dumps).length !== 1 || others.length === 0)) return { shown: String(last), base };
  return { shown, base };
}

/** Swaps the current dump and the baseline. */
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

/** Name of one dump number or of several. */
export function nameOf(numbers: string, dumps: readonly DumpMeta[], baseName: (path: string) => string): string {
  const all = numbers.split(',');
  const first = dumps[Number(all[0])];
  if (first === undefined) return `dump ${numbers}`;
  // Of several recordings the file counts, too.
  const isOnly = dumps.every((dump) => !dump.moment || dump.series === first.series);
  if (all.length === 1 && first.moment && isOnly) return momentName(first.moment);
  return all.length === 1 ? baseName(first.name) : `${all.length} dumps added up`;
}

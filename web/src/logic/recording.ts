import type { DumpMeta, GrowthDump, Meta, MomentReport, RunReport } from '../api/types';
import { pairOf, patchOf, shownOf, usual, type Pair } from './dumps';
import { valueTypeLabel } from './text/format';
import { param, type Patch, type ViewUrl } from './url/view-url';

/** Recordings and their moments: which one is shown, and what its values are called. */

/** What an address shows: dumps, a whole recording, the largest snapshot of one, or moments of one. */
export type Scope = 'dumps' | 'recording' | 'snapshots' | 'moment';

/** Whether all dumps of a series are moments of a recording. */
export function isOfMoments({ dump }: { readonly dump: readonly Pick<GrowthDump, 'moment'>[] }): boolean {
  return dump.length > 0 && dump.every(({ moment }) => moment !== undefined && moment !== null);
}

function dumpAt(number: string, dumps: readonly DumpMeta[]): DumpMeta | undefined {
  return number === '' || number.includes(',') ? undefined : dumps[Number(number)];
}

/** The recording that a dump number names, or one of whose moments it is. */
export function runOf(number: string, meta: Pick<Meta, 'dumps' | 'runs'> | undefined): RunReport | undefined {
  const dump = dumpAt(number, meta?.dumps ?? []);
  if (dump === undefined) return undefined;
  const name = dump.moment === undefined || dump.moment === null ? dump.name : dump.series;
  return meta?.runs?.find((run) => run.name === name);
}

/** The recording that an address shows as a whole or a moment of; undefined for dumps. */
export function shownRun(url: ViewUrl, meta: Pick<Meta, 'dumps' | 'runs'> | undefined): RunReport | undefined {
  return runOf(shownOf(pairOf(url), meta?.dumps ?? []), meta);
}

export function shownMoment(url: ViewUrl, meta: Pick<Meta, 'dumps'> | undefined): MomentReport | undefined {
  return dumpAt(shownOf(pairOf(url), meta?.dumps ?? []), meta?.dumps ?? [])?.moment ?? undefined;
}

/** The time of a recording that an address names, or the times between which changes are shown: `12.5s`, `1s to end`; else empty. */
export function timesOf(url: ViewUrl): string {
  const [at, from, to] = ['at', 'from', 'to'].map((name) => param(url, name));
  return at || (from || to ? `${from || '0s'} to ${to || 'end'}` : '');
}

const TIME_EXAMPLES: Readonly<Record<string, readonly [string, string]>> = {
  Minstr: ['1.2Mi', '500ki-2Mi'],
  MiB: ['6.4MiB', '1MiB-3MiB'],
  Munit: ['500u', '100u-300u'],
};

/** A time and a range as they may be typed, on an axis. */
export function timeExamples(axis: string): readonly [string, string] {
  return TIME_EXAMPLES[axis] ?? ['12.5s', '1s-3s'];
}

/** Shows the time that was typed, or what changed between two: `12.5 s`, `1s-3s`, `1s to peak`. Nothing typed shows the whole again. */
export function timesPatch(typed: string, url: ViewUrl, dumps: readonly DumpMeta[]): Patch {
  const [from = '', to] = typed
    .replaceAll(/ *(?:\bto\b|[-–]) */g, '|')
    .replaceAll(' ', '')
    .split('|');
  const { shown } = pairOf(url);
  const whole = shownMoment(url, { dumps }) === undefined ? shown : wholePair({ shown, base: '' }, dumps).shown;
  return { ...patchOf(url, { shown: whole, base: '' }), ...(to === undefined ? { at: from } : { from, to }) };
}

export function scopeOf(url: ViewUrl, meta: Pick<Meta, 'dumps' | 'runs'> | undefined): Scope {
  if (timesOf(url) !== '') return 'moment';
  if (shownMoment(url, meta) !== undefined) return 'moment';
  const run = shownRun(url, meta);
  return run === undefined ? 'dumps' : run.shows_peak ? 'snapshots' : 'recording';
}

/** Value types in the order of the menu, with labels for a whole recording and for a moment, and a hint. */
const LABELS: readonly (readonly [kind: string, whole: string, moment: string])[] = [
  ['peak_space', 'Peak (bytes)', 'In use (bytes)'],
  ['inuse_space', 'Leaked (bytes)', 'In use (bytes)'],
  ['alloc_objects', 'Allocations', 'Allocations'],
  ['temp_objects', 'Temporary allocations', 'Temporary allocations'],
  ['alloc_space', 'Allocated (bytes)', 'Allocated (bytes)'],
  ['peak_objects', 'Peak (objects)', 'In use (objects)'],
  ['inuse_objects', 'Leaked (objects)', 'In use (objects)'],
  ['temp_space', 'Temporary (bytes)', 'Temporary (bytes)'],
  ['lifetime', 'Lifetimes (sum)', 'Lifetimes (sum)'],
  ['mapped_space', 'Mapped (bytes)', 'Mapped (bytes)'],
  ['total_space', 'With overhead and stacks (bytes)', 'With overhead and stacks (bytes)'],
  ['read_space', 'Read (bytes)', 'Read (bytes)'],
  ['write_space', 'Written (bytes)', 'Written (bytes)'],
  ['max_space', 'Maxima of stacks (bytes)', 'Maxima of stacks (bytes)'],
  ['max_objects', 'Maxima of stacks (objects)', 'Maxima of stacks (objects)'],
  ['realloc_objects', 'Reallocations', 'Reallocations'],
  ['realloc_space', 'Reallocated (bytes)', 'Reallocated (bytes)'],
  ['freed_objects', 'Freed (objects)', 'Freed (objects)'],
  ['freed_space', 'Freed (bytes)', 'Freed (bytes)'],
];

/** Label of a value type: heaptrack's names for recordings. */
export function valueLabel(kind: string, scope: Scope): string {
  const [, whole, moment] = scope === 'dumps' ? [] : (LABELS.find(([name]) => name === kind) ?? []);
  return (scope === 'recording' ? whole : moment) ?? valueTypeLabel(kind);
}

/** Value types to choose from. At a moment the peak is what is in use, so that one of the two is enough. */
export function valueChoices(kinds: readonly string[], scope: Scope, shown: string): readonly string[] {
  if (scope === 'dumps') return kinds;
  const place = (kind: string): number => {
    const at = LABELS.findIndex(([name]) => name === kind);
    return at < 0 ? LABELS.length : at;
  };
  const isTwin = (kind: string): boolean =>
    scope === 'moment' &&
    kind !== shown &&
    /^(inuse|peak)_/.test(kind) &&
    kinds.includes(twinOf(kind)) &&
    (kind.startsWith('inuse') || twinOf(kind) === shown);
  return kinds.filter((kind) => !isTwin(kind)).sort((a, b) => place(a) - place(b));
}

function twinOf(kind: string): string {
  return kind.startsWith('inuse') ? kind.replace('inuse', 'peak') : kind.replace('peak', 'inuse');
}

/** What the chart of a recording shows over time. */
export type Course = 'live' | 'allocations' | 'temporary';

export function courseOf(kind: string): Course {
  return kind.startsWith('alloc') ? 'allocations' : kind.startsWith('temp') ? 'temporary' : 'live';
}

/** Value type that shows a course. */
export const COURSE_TYPES: Readonly<Record<Course, string>> = { live: '', allocations: 'alloc_objects', temporary: 'temp_objects' };

/** Number of the dump that is the whole recording of this moment; empty if none is open. */
export function wholeOf(number: string, dumps: readonly DumpMeta[]): string {
  const moment = dumpAt(number, dumps);
  const whole = dumps.findIndex((dump) => (dump.moment === undefined || dump.moment === null) && dump.name === moment?.series);
  return whole < 0 ? '' : String(whole);
}

/** The whole recording in place of one of its moments, without a base. The only one that is shown needs no name. */
export function wholePair(pair: Pair, dumps: readonly DumpMeta[]): Pair {
  const whole = wholeOf(pair.shown, dumps);
  const isUsual = usual(dumps).join(',') === whole;
  return { shown: isUsual ? '' : whole, base: '' };
}

/** The moment before or after the shown one, in its recording; of a whole recording the peak comes first. −1: none. */
export function neighbourOf(number: string, by: 1 | -1, meta: Pick<Meta, 'dumps' | 'runs'>): number {
  const run = runOf(number, meta);
  if (run === undefined) return -1;
  const moments = meta.dumps.flatMap((dump, i) =>
    dump.series === run.name && dump.moment !== undefined && dump.moment !== null ? [i] : [],
  );
  const at = moments.indexOf(Number(number));
  if (at < 0) return moments.find((i) => meta.dumps[i]?.moment?.is_peak === true) ?? -1;
  return moments[Math.max(0, Math.min(moments.length - 1, at + by))] ?? -1;
}

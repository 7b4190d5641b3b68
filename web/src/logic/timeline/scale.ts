import type { DumpMeta, GrowthReport } from '../../api/types';
import { formatCount, formatValue } from '../text/format';
import { isOfMoments } from '../recording';
import { axisSize, formatElapsed, formatOnAxis, isCounted } from '../text/elapsed';
import { linearStep, tickLabel, type Tick } from '../size-chart';

/** Positions of dumps on the timeline, and the lines of its grid. Shares: 0 is left or at the bottom, 1 right or at the top. */

/** By time, or by number, where dumps taken in quick succession do not overlap. */
export type Axis = 'time' | 'dumps';

/** Current axis: by dump where times are unknown; moments of a recording are always by time. */
export function axisOf(report: Pick<GrowthReport, 'axis'> & Partial<Pick<GrowthReport, 'dump'>>, requested: string): Axis {
  if ((report.axis === 's' && isOfMoments({ dump: report.dump ?? [] })) || isCounted(report)) return 'time';
  return requested === 'dumps' || report.axis !== 's' ? 'dumps' : 'time';
}

/**
 * Dump of the series → position. One alone is in the middle. Without times, dumps are as far apart as their numbers,
 * which slopes are per; with times, the axis of dumps has equal distances.
 */
export function placesOf({ dump, axis: unit, curve }: OnAxis, axis: Axis): readonly number[] {
  const at = (i: number): number => (axis === 'time' || unit !== 's' ? (dump[i]?.at ?? 0) : i);
  const [first, last] = axis === 'time' ? spanOf({ dump, curve }) : [at(0), at(dump.length - 1)];
  return dump.map((_, i) => (last > first ? (at(i) - first) / (last - first) : 0.5));
}

/** What positions depend on. */
export interface OnAxis extends Pick<GrowthReport, 'dump' | 'axis'> {
  readonly curve?: GrowthReport['curve'] | undefined;
}

/** Ends of the time axis: those of the dumps, and of a recording's curve; a recording begins before its first moment. */
export function spanOf({ dump, curve = [] }: Pick<OnAxis, 'dump' | 'curve'>): readonly [number, number] {
  const ends = [isOfMoments({ dump }) ? 0 : undefined, dump[0]?.at, dump.at(-1)?.at, curve[0]?.at, curve.at(-1)?.at].filter(
    (at) => at !== undefined,
  );
  return ends.length === 0 ? [0, 0] : [Math.min(...ends), Math.max(...ends)];
}

/** Dump of the series → the number in its file's name, where all have one and they rise; else its place, from 1 on. */
export function dumpNumbers({ dump }: Pick<GrowthReport, 'dump'>, all: readonly DumpMeta[]): readonly number[] {
  const numbers = dump.map((d) => all[d.dump]?.number ?? Number.NaN);
  const rise = numbers.every((n, i) => Number.isFinite(n) && (i === 0 || n > (numbers[i - 1] ?? n)));
  return rise ? numbers : dump.map((_, i) => i + 1);
}

/** Dump nearest to a position; −1 if there is none. Positions are sorted. O(log n). */
export function nearestPlace(places: readonly number[], at: number): number {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low > 0 && at - (places[low - 1] ?? 0) <= (places[low] ?? 0) - at ? low - 1 : low < places.length ? low : -1;
}

export interface ValueAxis {
  readonly ticks: readonly Tick[];
  readonly at: (value: number) => number;
}

/** Vertical scale for values from `low`, which is at most 0, to `high`. */
export function valueAxis(low: number, high: number, unit: string): ValueAxis {
  const measure = unit === 'bytes' ? 'bytes' : 'objects';
  // A little air above the highest.
  const [from, to] = [Math.min(0, low) * 1.04, Math.max(1, high) * 1.04];
  const step = linearStep(to - from, measure);
  const at = (value: number): number => (value - from) / (to - from);
  const label = (value: number): string =>
    unit === 'bytes' || unit === 'count' || unit === '' ? tickLabel(value, measure) : formatValue(value, unit);
  const first = Math.ceil(from / step);
  const n = Math.floor(to / step) - first + 1;
  return { at, ticks: Array.from({ length: n }, (_, i) => ({ at: at((first + i) * step), label: label((first + i) * step) })) };
}

const [MINUTE, HOUR, DAY] = [60, 3600, 86400];
const TIME_STEPS = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 30, 90, 180, 365].map((n) => n * DAY),
];

/** Steps on the axis of a recording: seconds, from a millisecond. */
const ELAPSED_STEPS = [...[0.001, 0.01, 0.1].flatMap((unit) => [1, 2, 5].map((n) => n * unit)), ...TIME_STEPS];

/** Width of a label with its margin, in pixels. */
const LABEL = 84;

/** Grid lines of the time or dump axis for a chart of this width; `numbers` are the dumps' numbers. */
export function acrossTicks(
  report: OnAxis,
  axis: Axis,
  width: number,
  numbers: readonly number[] = report.dump.map((_, i) => i + 1),
): readonly Tick[] {
  const most = Math.max(1, Math.floor(width / LABEL));
  return axis === 'time' ? timeTicks(report, most) : dumpTicks(placesOf(report, axis), numbers, width);
}

/** Least distance between labels of dumps, in pixels. */
const NUMBER = 34;

/** Labels of dumps: all of them, or the first and round numbers if space is short. O(dumps). */
function dumpTicks(places: readonly number[], numbers: readonly number[], width: number): readonly Tick[] {
  const n = numbers.length;
  const label = (i: number): string => formatCount(numbers[i] ?? i + 1);
  const room = Math.max(NUMBER, label(n - 1).length * 7 + 16);
  const most = Math.max(1, Math.floor(width / room));
  const span = (numbers.at(-1) ?? 0) - (numbers[0] ?? 0) + 1;
  const step = n <= most ? 1 : linearStep((Math.max(n, span) * 5) / Math.min(most, Math.floor(width / LABEL) || 1), 'objects');
  const ticks: Tick[] = [];
  for (let i = 0; i < n; i++) {
    const before = ticks.at(-1)?.at;
    const at = places[i] ?? 0;
    if (before !== undefined && ((numbers[i] ?? 0) % step !== 0 || (at - before) * width < room)) continue;
    ticks.push({ at, label: label(i) });
  }
  return ticks;
}

function timeTicks({ dump, axis, curve }: OnAxis, most: number): readonly Tick[] {
  const [first] = dump;
  const [from, to] = spanOf({ dump, curve });
  const span = to - from;
  if (first === undefined || span <= 0) return [];
  if (isCounted({ axis })) return countedTicks(from, span, axis, most);
  if (isOfMoments({ dump })) return elapsedTicks(from, span, most);
  const step = TIME_STEPS.find((s) => span / s <= most) ?? Math.ceil(span / most / DAY) * DAY;
  const start = first.time_nanos / 1e9;
  // Round in the user's time zone: at local midnight, not at midnight UTC.
  const shift = start > 0 ? start - new Date(start * 1000).getTimezoneOffset() * MINUTE : 0;
  const ticks: Tick[] = [];
  let day = '';
  for (let at = Math.ceil(shift / step) * step; at <= shift + span; at += step) {
    const [date, clock] = clockOf(at, step);
    const label = start <= 0 ? formatSpan(at) : date === day && step < DAY ? clock : step < DAY ? `${date.slice(5)} ${clock}` : date;
    ticks.push({ at: (at - shift) / span, label: ticks.length === 0 && start > 0 && span < DAY && step < DAY ? clock : label });
    day = date;
  }
  return ticks;
}

/** Instructions or bytes since a recording began. */
function countedTicks(first: number, span: number, axis: string, most: number): readonly Tick[] {
  const size = axisSize(axis);
  const step = linearStep((span * size * 5) / most, axis === 'MiB' ? 'bytes' : 'objects') / size;
  const start = Math.ceil(first / step - 1e-9);
  const n = Math.floor((first + span) / step + 1e-9) - start + 1;
  return Array.from({ length: Math.max(0, n) }, (_, i) => ({
    at: ((start + i) * step - first) / span,
    label: formatOnAxis((start + i) * step, axis).replace(/ (instructions|allocated|units)$/, ''),
  }));
}

/** Times since a recording began. */
function elapsedTicks(first: number, span: number, most: number): readonly Tick[] {
  const step = ELAPSED_STEPS.find((s) => span / s <= most) ?? Math.ceil(span / most / DAY) * DAY;
  const start = Math.ceil(first / step - 1e-9);
  const n = Math.floor((first + span) / step + 1e-9) - start + 1;
  return Array.from({ length: Math.max(0, n) }, (_, i) => ({
    at: ((start + i) * step - first) / span,
    label: formatElapsed((start + i) * step),
  }));
}

/** Seconds of a local clock since 1970 as `2026-11-20` and `10:30`, with seconds where steps are shorter than minutes. */
function clockOf(seconds: number, step: number): readonly [string, string] {
  const text = new Date(seconds * 1000).toISOString();
  return [text.slice(0, 10), text.slice(11, step < MINUTE ? 19 : 16)];
}

/** A duration in at most two units: `45 s`, `1 h 30 min`, `3 d 4 h`. */
export function formatSpan(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < MINUTE) return `${seconds !== 0 && Math.abs(seconds) < 10 ? Number(seconds.toFixed(1)) : whole} s`;
  const units: readonly (readonly [number, string])[] = [
    [DAY, 'd'],
    [HOUR, 'h'],
    [MINUTE, 'min'],
    [1, 's'],
  ];
  const at = units.findIndex(([size]) => whole >= size);
  const [size, name] = units[at] ?? [1, 's'];
  const [smaller, of] = units[at + 1] ?? [1, 's'];
  // A second unit would be noise beside a large first one.
  const count = Math.floor(whole / size);
  const rest = Math.floor((whole % size) / smaller);
  return rest === 0 || count >= 20 ? `${formatCount(count)} ${name}` : `${formatCount(count)} ${name} ${rest} ${of}`;
}

/** A gap is at least this many times the usual distance between dumps. */
const GAP = 6;

/** Dumps followed by a long gap; values within the gap are unknown. */
export function gapsOf({ dump }: Pick<GrowthReport, 'dump'>, axis: Axis): readonly number[] {
  // Between moments of a recording little happened: those that are kept are as far apart as events.
  if (axis === 'dumps' || dump.length < 4 || isOfMoments({ dump })) return [];
  const lengths = dump.slice(1).map(({ at }, i) => at - (dump[i]?.at ?? 0));
  const usual = [...lengths].sort((a, b) => a - b)[lengths.length >> 1] ?? 0;
  return lengths.flatMap((length, i) => (usual > 0 && length >= GAP * usual ? [i] : []));
}

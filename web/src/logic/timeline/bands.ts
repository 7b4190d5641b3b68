import type { GrowthReport, GrowthRow } from '../../api/types';
import { isOfMoments } from '../recording';

/** Bands of the timeline: growing rows, the largest others, and the rest. */

/** Bands besides the rest. */
const MOST_BANDS = 10;
/** Bands reserved for growing rows, however small. */
const GROWING = 6;

/** One area: dump of the series → its lower and upper edge. */
export interface Band {
  /** Row of the report; −1: all rows without a band. */
  readonly row: number;
  readonly key: string;
  readonly from: Float64Array;
  readonly to: Float64Array;
}

export interface Stack {
  /** From the bottom up. */
  readonly bands: readonly Band[];
  /** Lowest sum of negative and highest sum of positive values. */
  readonly low: number;
  readonly high: number;
}

/** Identifies a row, also from dump to dump. */
export function rowKey({ row, stack }: GrowthRow): string {
  return [row.name, row.package, row.file, ...stack].join('\n');
}

function grows({ trend }: GrowthRow): boolean {
  return trend.shape === 'leak' || trend.shape === 'step';
}

function largest(row: GrowthRow): number {
  return row.value.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
}

/**
 * Rows that get a band, from the bottom up: growing rows at the bottom, where the slope can be read, then the
 * others by size. `before` are the keys of the last time: while dumps join, bands keep their places.
 */
export function chooseBands({ row, dump }: Pick<GrowthReport, 'row' | 'dump'>, before: readonly string[] = []): readonly number[] {
  const sizes = row.map(largest);
  if (isOfMoments({ dump })) return largestBands(row, sizes);
  const leaks = row.flatMap((r, i) => (grows(r) && (sizes[i] ?? 0) > 0 ? [i] : [])).slice(0, GROWING);
  const others = row
    .flatMap((_, i) => (leaks.includes(i) || sizes[i] === 0 ? [] : [i]))
    .sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b)
    .slice(0, MOST_BANDS - leaks.length);
  const chosen = [...leaks, ...others];
  if (before.length === 0) return chosen;
  const place = (i: number): number => {
    const r = row[i];
    const at = r === undefined ? -1 : before.indexOf(rowKey(r));
    return at < 0 ? before.length : at;
  };
  // A stable sort: new rows keep their order, above the existing ones.
  return [...chosen].sort((a, b) => place(a) - place(b));
}

/** The largest rows of a recording, largest at the bottom; they are the same at each moment. */
function largestBands(row: readonly GrowthRow[], sizes: readonly number[]): readonly number[] {
  const size = (i: number): number => sizes[i] ?? 0;
  const some = row.flatMap((_, i) => (size(i) === 0 ? [] : [i]));
  return some.sort((a, b) => size(b) - size(a) || a - b).slice(0, MOST_BANDS);
}

/** Stacks rows; negative values are stacked downwards. O(rows × dumps). */
export function stackOf(report: Pick<GrowthReport, 'row' | 'dump'>, rows: readonly number[]): Stack {
  const n = report.dump.length;
  const [up, down] = [new Float64Array(n), new Float64Array(n)];
  const left = Float64Array.from(report.dump, ({ total }) => total);
  const bands: Band[] = [];
  const put = (row: number, key: string, value: (i: number) => number): void => {
    const [from, to] = [new Float64Array(n), new Float64Array(n)];
    for (let i = 0; i < n; i++) {
      const v = value(i);
      const side = v < 0 ? down : up;
      from[i] = side[i] ?? 0;
      to[i] = side[i] = (side[i] ?? 0) + v;
    }
    bands.push({ row, key, from, to });
  };
  for (const at of rows) {
    const row = report.row[at];
    if (row === undefined) continue;
    put(at, rowKey(row), (i) => row.value[i] ?? 0);
    for (let i = 0; i < n; i++) left[i] = (left[i] ?? 0) - (row.value[i] ?? 0);
  }
  if (left.some((v) => v !== 0)) put(-1, '', (i) => left[i] ?? 0);
  return { bands, low: down.reduce((least, v) => Math.min(least, v), 0), high: up.reduce((most, v) => Math.max(most, v), 0) };
}

/** Dump → value of a band. */
export function valueAt(band: Band, i: number): number {
  return (band.to[i] ?? 0) - (band.from[i] ?? 0);
}

/** The band at a height; undefined above and below all. Heights between dumps are interpolated. */
export function bandAt(stack: Stack, i: number, value: number): Band | undefined {
  return stack.bands.find((band) => {
    const [from, to] = [band.from[i] ?? 0, band.to[i] ?? 0];
    return from !== to && value >= Math.min(from, to) && value <= Math.max(from, to);
  });
}

/** Most points of an outline for each pixel. */
const DENSE = 2;

/**
 * Dumps to draw when there are more than pixels: of those that share one the first and the one with the largest
 * total, so that no peak is lost. O(dumps).
 */
export function drawnDumps(totals: readonly number[], places: readonly number[], width: number): readonly number[] {
  const n = places.length;
  if (n <= width * DENSE) return places.map((_, i) => i);
  const drawn = new Set([0, n - 1]);
  let [pixel, peak] = [-1, 0];
  for (let i = 0; i < n; i++) {
    const here = Math.floor((places[i] ?? 0) * width);
    if (here !== pixel) {
      drawn.add(peak).add(i);
      [pixel, peak] = [here, i];
    } else if ((totals[i] ?? 0) > (totals[peak] ?? 0)) peak = i;
  }
  return [...drawn.add(peak)].sort((a, b) => a - b);
}

/** The outline of a band as an SVG path. */
export function outlineOf(band: Band, drawn: readonly number[], x: (i: number) => number, y: (value: number) => number): string {
  const point = (i: number, value: number): string => `${round(x(i))},${round(y(value))}`;
  const above = drawn.map((i) => point(i, band.to[i] ?? 0));
  const below = drawn.map((i) => point(i, band.from[i] ?? 0)).reverse();
  return above.length === 0 ? '' : `M${[...above, ...below].join('L')}Z`;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

/** Position in a band with space for its name. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * Centre of the tallest place in a band that fits a text of this size in pixels; undefined if none does.
 * Tries positions from right to left, since the end matters most. O(positions × dumps).
 */
export function labelPlace(
  band: Band,
  drawn: readonly number[],
  x: (i: number) => number,
  y: (value: number) => number,
  text: { readonly width: number; readonly height: number },
): Place | undefined {
  const [first, last] = [x(drawn[0] ?? 0), x(drawn.at(-1) ?? 0)];
  let best: Place | undefined;
  let most = text.height;
  const TRIES = 24;
  for (let t = TRIES; t >= 0; t--) {
    const left = first + ((last - first - text.width) * t) / TRIES;
    if (left < first) continue;
    let [top, bottom] = [-Infinity, Infinity];
    const right = left + text.width;
    drawn.forEach((i, k) => {
      // The dumps before and after the text count, since edges are interpolated.
      const [before, after] = [drawn[k - 1] ?? i, drawn[k + 1] ?? i];
      if (x(after) < left || x(before) > right) return;
      top = Math.max(top, y(Math.max(band.from[i] ?? 0, band.to[i] ?? 0)));
      bottom = Math.min(bottom, y(Math.min(band.from[i] ?? 0, band.to[i] ?? 0)));
    });
    if (bottom - top > most * 1.15 || (best === undefined && bottom - top >= most)) {
      most = bottom - top;
      best = { x: left + text.width / 2, y: (top + bottom) / 2 };
    }
  }
  return best;
}

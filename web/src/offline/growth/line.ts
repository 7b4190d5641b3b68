import { numberAt as get } from '../../logic/number-at';
import { bothTails, coin } from './chance';

/** The line through a series, how sure it is, and whether it might as well be level (`analyze/growth/line.rs`). */

const Z = 1.959964;

/** More alike than this neighbours are in sums of random steps only. */
const RANDOM_WALK = 0.5;

type Numbers = ArrayLike<number>;

export interface Line {
  /** Growth per unit of the axis. */
  readonly slope: number;
  /** Ends of the interval of 95 %. */
  readonly low: number;
  readonly high: number;
  /** How likely numbers without a trend look like these. */
  readonly p: number;
}

export function rises({ p, slope, low }: Line): boolean {
  return p < 0.05 && slope > 0 && low >= 0;
}

export function falls({ p, slope, high }: Line): boolean {
  return p < 0.05 && slope < 0 && high <= 0;
}

/** The same with an interval of at least `half` to each side. */
export function widened(line: Line, half: number): Line {
  return { ...line, low: Math.min(line.low, line.slope - half), high: Math.max(line.high, line.slope + half) };
}

/** The line through `y` over `x`, which rises strictly; at least two dumps. O(n² log n). */
export function lineThrough(x: Float64Array, y: Float64Array): Line {
  const n = y.length;
  const slopes = new Float64Array((n * (n - 1)) / 2);
  let [at, score] = [0, 0];
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const [a, b] = [get(y, i), get(y, j)];
      slopes[at++] = (b - a) / (get(x, j) - get(x, i));
      score += Math.sign(b - a);
    }
  slopes.sort();
  const slope = medianOf(slopes);
  const variance = scoreVariance(y);
  if (variance === 0) return { slope, low: slope, high: slope, p: 1 };
  const alike = likeness(x, y, slope);
  const wide = variance * (alike === undefined ? 1 : (1 + alike) / (1 - alike));
  let p = chanceOf(score, wide);
  let [low, high] = ends(slopes, wide);
  if (alike !== undefined) {
    if (alike > RANDOM_WALK) {
      const half = halfWidth(x, y, slope);
      [low, high] = ends(slopes, variance);
      [low, high] = [Math.min(low, slope - half), Math.max(high, slope + half)];
    }
    p = Math.min(p, Math.max(chanceOf(score, variance), chanceOfSteps(y)));
  }
  return { slope, low, high, p };
}

/** Ends of the interval of 95 %, where the score has this variance. */
function ends(slopes: Float64Array, variance: number): readonly [number, number] {
  const below = Math.max(Math.floor(Math.max((slopes.length - Z * Math.sqrt(variance)) / 2, 0)) - 1, 0);
  return [get(slopes, below), get(slopes, slopes.length - 1 - below)];
}

function chanceOf(score: number, variance: number): number {
  return bothTails(Math.max(Math.abs(score) - 1, 0) / Math.sqrt(variance));
}

function chanceOfSteps(y: Numbers): number {
  let [ups, downs] = [0, 0];
  for (let i = 1; i < y.length; i++) {
    if (get(y, i) > get(y, i - 1)) ups++;
    if (get(y, i) < get(y, i - 1)) downs++;
  }
  return coin(ups + downs, ups);
}

/** Variance of Kendall's score of numbers without a trend, where some are equal. */
function scoreVariance(y: Float64Array): number {
  const of = (n: number): number => n * (n - 1) * (2 * n + 5);
  const sorted = y.slice().sort();
  let [ties, run] = [0, 0];
  for (let i = 0; i < sorted.length; i++) {
    run++;
    if (get(sorted, i) === sorted[i + 1]) continue;
    ties += of(run);
    run = 0;
  }
  return (of(y.length) - ties) / 18;
}

/** How much each residue is like the one before it; undefined: not more than chance makes them. */
function likeness(x: Float64Array, y: Float64Array, slope: number): number | undefined {
  const n = y.length;
  if (n < 5) return undefined;
  const residue = y.map((v, i) => v - slope * get(x, i));
  const middle = median(residue);
  for (let i = 0; i < n; i++) residue[i] = get(residue, i) - middle;
  let [all, neighbours] = [0, 0];
  for (let i = 0; i < n; i++) all += get(residue, i) * get(residue, i);
  for (let i = 1; i < n; i++) neighbours += get(residue, i - 1) * get(residue, i);
  const r = neighbours / all;
  const trueR = Math.min((r + 1 / n) / (1 - 4 / n), 1 - 2 / n);
  return all > 0 && r > 1 / Math.sqrt(n) ? trueR : undefined;
}

/** Half of the interval of the slope of a sum of random steps. */
function halfWidth(x: Numbers, y: Numbers, slope: number): number {
  const nSteps = y.length - 1;
  let sum = 0;
  for (let i = 1; i < y.length; i++) {
    const time = get(x, i) - get(x, i - 1);
    const more = get(y, i) - get(y, i - 1) - slope * time;
    sum += (more * more) / time;
  }
  return Math.sqrt(sum / (nSteps - 1) / (get(x, x.length - 1) - get(x, 0))) * (Z + 2.4 / (nSteps - 1));
}

/** The median, of an even number the mean of both in the middle. */
export function median(values: Float64Array): number {
  return medianOf(values.slice().sort());
}

function medianOf(sorted: Float64Array): number {
  const half = sorted.length >> 1;
  const upper = get(sorted, half);
  return sorted.length % 2 === 1 ? upper : (get(sorted, half - 1) + upper) / 2;
}

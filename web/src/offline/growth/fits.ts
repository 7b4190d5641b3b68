import { numberAt as get } from '../../logic/number-at';
import { median } from './line';

/** Which simple course fits a series best (`analyze/growth/fits.rs`). */

export type Course =
  | { readonly kind: 'level' | 'line' }
  | { readonly kind: 'bend'; readonly at: number; readonly before: number; readonly behind: number }
  | { readonly kind: 'step' | 'step on line'; readonly at: number; readonly height: number };

const PART = 3;
const TINY = 0.005;

interface Fit {
  readonly misfit: number;
  readonly course: Course;
}

/** The course that fits `y` over `x` best. O(n). */
export function courseOf(x: Float64Array, y: Float64Array, noise: number): Course {
  const n = y.length;
  const smooth = withoutSpikes(y);
  const [low, high] = extentOf(smooth);
  const [range, span] = [high - low, get(x, n - 1) - get(x, 0)];
  if (range <= 0) return { kind: 'level' };
  const [cx, cy] = [centred(x, span), centred(smooth, range)];
  const [xx, xy, yy] = [dot(cx, cx), dot(cx, cy), dot(cy, cy)];
  const tiny = TINY * TINY + (noise / range) * (noise / range);
  const score = (misfit: number, choices: number): number => {
    const few = n / Math.max(n - choices - 1, 0.1);
    return n * Math.log(Math.max(misfit, 0) / n + tiny) + choices * few * Math.log(n);
  };
  const none: Fit = { misfit: yy, course: { kind: 'level' } };
  let [bend, step, stepOnLine] = [none, none, none];
  const better = (best: Fit, misfit: number, course: Course): Fit => (misfit < best.misfit ? { misfit, course } : best);
  let [one, sx, sxx, sy, sxy] = [0, 0, 0, 0, 0];
  const unit = range / span;
  for (let at = n - 2; at >= 1; at--) {
    const [vx, vy] = [get(cx, at + 1), get(cy, at + 1)];
    [one, sx, sxx, sy, sxy] = [one + 1, sx + vx, sxx + vx * vx, sy + vy, sxy + vx * vy];
    if (n - 1 - at < PART) continue;
    const jump = extra(n, one, one, sx, sy);
    step = better(step, yy - (jump.y * jump.y) / jump.own, { kind: 'step', at, height: (jump.y / jump.own) * range });
    const onLine = beside(jump, xx, xy, yy);
    stepOnLine = better(stepOnLine, onLine.misfit, { kind: 'step on line', at, height: onLine.share * range });
    if (at + 1 < PART) continue;
    const from = get(cx, at);
    const ramp = extra(n, sx - from * one, sxx - 2 * from * sx + from * from * one, sxx - from * sx, sxy - from * sy);
    const { misfit, slope, share } = beside(ramp, xx, xy, yy);
    bend = better(bend, misfit, { kind: 'bend', at, before: slope * unit, behind: (slope + share) * unit });
  }
  const offers: readonly (readonly [number, Course])[] = [
    [score(yy, 1), { kind: 'level' }],
    [score(yy - (xy * xy) / xx, 2), { kind: 'line' }],
    [score(step.misfit, 4), step.course],
    [score(bend.misfit, 5), bend.course],
    [score(stepOnLine.misfit, 5), stepOnLine.course],
  ];
  return offers.reduce((best, offer) => (offer[0] < best[0] ? offer : best))[1];
}

/** Whether a bend or a step says all: what it leaves is noise, or nothing; of other courses that is not said. O(n). */
export function isWhole(x: Float64Array, y: Float64Array, course: Course, noise: number): boolean {
  if (!('at' in course)) return false;
  const n = y.length;
  const smooth = withoutSpikes(y);
  const [low, high] = extentOf(smooth);
  const { at } = course;
  const added = x.map((v, i) => (course.kind === 'bend' ? Math.max(v - get(x, at), 0) : i > at ? 1 : 0));
  const [cx, more, cy] = [centred(x, 1), centred(added, 1), centred(smooth, 1)];
  const all: Extra = { own: dot(more, more), x: dot(more, cx), y: dot(more, cy) };
  const { slope, share } = beside(all, dot(cx, cx), dot(cx, cy), dot(cy, cy));
  const left = cy.map((v, i) => v - slope * get(cx, i) - share * get(more, i));
  const size = dot(left, left);
  const tiny = TINY * (high - low);
  const neighbours = dot(left.subarray(0, n - 1), left.subarray(1));
  return size <= n * (tiny * tiny + noise * noise) || neighbours / size <= 1.645 / Math.sqrt(n);
}

/** What a course has beside a level: products with itself, with x and with y, around the middle. */
interface Extra {
  readonly own: number;
  readonly x: number;
  readonly y: number;
}

function extra(n: number, sum: number, own: number, x: number, y: number): Extra {
  return { own: own - (sum * sum) / n, x, y };
}

/** Misfit of a line with it, the line's slope and its own share. */
function beside({ own, x, y }: Extra, xx: number, xy: number, yy: number): { misfit: number; slope: number; share: number } {
  const det = xx * own - x * x;
  if (det <= 1e-12 * xx * own) return { misfit: yy, slope: 0, share: 0 };
  const slope = (xy * own - y * x) / det;
  const share = (y * xx - xy * x) / det;
  return { misfit: yy - slope * xy - share * y, slope, share };
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, v, i) => sum + v * get(b, i), 0);
}

function centred(values: Float64Array, size: number): Float64Array {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  return values.map((v) => (v - mean) / size);
}

/** The smallest and the largest one. */
export function extentOf(values: Float64Array): readonly [number, number] {
  return [values.reduce((low, v) => Math.min(low, v), Infinity), values.reduce((high, v) => Math.max(high, v), -Infinity)];
}

/** The numbers without dumps that stick out alone, but for the first one. */
export function withoutSpikes(y: Float64Array): Float64Array {
  const n = y.length;
  const middle = (a: number, b: number, c: number): number => Math.min(Math.max(a, b), Math.max(Math.min(a, b), c));
  const smooth = y.map((v, i) => (i === 0 || i === n - 1 ? v : middle(get(y, i - 1), v, get(y, i + 1))));
  smooth[n - 1] = middle(get(y, n - 1), get(smooth, n - 2), 3 * get(smooth, n - 2) - 2 * get(smooth, n - 3));
  const usual = median(y.map((v, i) => Math.abs(v - get(smooth, i))));
  const [low, high] = extentOf(smooth);
  const most = 6 * usual + 0.1 * (high - low);
  return y.map((v, i) => (Math.abs(v - get(smooth, i)) > most ? get(smooth, i) : v));
}

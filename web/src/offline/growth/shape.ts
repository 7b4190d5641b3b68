import type { GrowthShape } from '../../api/types';
import { numberAt as get } from '../../logic/number-at';
import { courseOf, extentOf, isWhole, withoutSpikes } from './fits';
import { falls, lineThrough, rises, widened, type Line } from './line';
import { isSawtooth } from './sawtooth';
import { stepsOf } from './steps';

/** What a series of numbers does, and since when it grows (`analyze/growth/shape.rs`). */

/** Dumps that there must be to tell a shape. */
export const FEWEST = 5;

/** Longer series are thinned to so many dumps at most. */
export const MOST = 500;

const FEW_SAMPLES = 10;

export interface Judged {
  readonly shape: GrowthShape;
  /** A leak that rests between jumps. */
  readonly inSteps: boolean;
  /** The last dump before it grew. */
  readonly began: number | undefined;
  /** The line through all, or of a leak since it began. */
  readonly line: Line;
}

/** Judges `y` over `x`, which rises strictly; at least two dumps. `noise`: what one sample stands for. */
export function judge(x: Float64Array, y: Float64Array, noise: number): Judged {
  const n = y.length;
  if (n <= MOST) return judgeAll(x, y, noise);
  const apart = Math.ceil(n / (MOST - 1));
  const place: number[] = [];
  for (let i = n - 1; i >= 0; i -= apart) place.unshift(i);
  if (place[0] !== 0) place.unshift(0);
  const thinned = (all: Float64Array): Float64Array => Float64Array.from(place, (i) => get(all, i));
  const judged = judgeAll(thinned(x), thinned(y), noise);
  return { ...judged, began: judged.began === undefined ? undefined : place[judged.began] };
}

function judgeAll(x: Float64Array, y: Float64Array, noise: number): Judged {
  const n = y.length;
  const calm = n < FEWEST ? y : withoutSpikes(y);
  const [low, high] = extentOf(y);
  const ofSamples = (from: number): number => (1.96 * Math.sqrt(noise * (high - low))) / (get(x, n - 1) - get(x, from));
  const line = (from: number, of: Float64Array): Line => widened(lineThrough(x.subarray(from), of.subarray(from)), ofSamples(from));
  const all = line(0, calm);
  const judged = (shape: GrowthShape, began?: number): Judged => ({ shape, inSteps: false, began, line: all });
  if (high === low) return judged('flat');
  if (n < FEWEST) return judged('unknown', firstRise(y));
  if (noise > 0 && Math.max(high, -low) <= FEW_SAMPLES * noise) return judged('unknown');
  const level: GrowthShape = high - low <= 0.1 * Math.max(Math.abs(low), Math.abs(high)) ? 'flat' : 'noise';
  if (high - low <= 6 * noise) return judged(level);
  if (isSawtooth(y)) return judged(level === 'flat' ? level : 'sawtooth');
  const otherwise: GrowthShape = falls(all) ? 'shrinking' : level;
  const leak = (from: number): Judged => {
    const since = from === 0 ? all : line(from, y);
    const isGivenBack = Math.max(get(y, n - 1), get(y, n - 2)) - get(calm, from) < 0.3 * since.slope * (get(x, n - 1) - get(x, from));
    return isGivenBack ? judged(otherwise) : { ...judged('leak', from), line: since };
  };
  const plateau = (began: number): Judged => (climbs(x, calm, all) ? leak(0) : judged('plateau', began));
  const steps = stepsOf(x, calm, noise);
  if (steps !== undefined) {
    const { began, settled, nJumps, goesOn } = steps;
    if (goesOn !== undefined) {
      const [slow, fast] = goesOn;
      const ends = { ...all, low: Math.min(Math.max(0.8 * slow, 0), all.slope), high: Math.max(2 * fast, all.slope) };
      return { ...judged('leak', began), line: widened(ends, ofSamples(0)), inSteps: true };
    }
    if (n - settled >= 2 * FEWEST && stillGrows(x, y, settled) && !levelsOff(x, calm, settled, noise)) return leak(settled);
    return nJumps <= 2 ? judged('step', began) : plateau(began);
  }
  const course = courseOf(x, calm, noise);
  const isSure = rises(all) || isWhole(x, calm, course, noise);
  if (course.kind === 'bend' && course.before > 0 && course.behind < 0.3 * course.before && stays(calm, course.at)) {
    const { at, behind } = course;
    const goesOn = isSure && behind > 0 && stillGrows(x, y, at) && !levelsOff(x, calm, at, noise);
    return goesOn ? leak(at) : plateau(0);
  }
  if (!isSure) return judged(otherwise);
  if (course.kind === 'bend' && course.before <= 0.3 * course.behind && stillGrows(x, y, course.at)) return leak(course.at);
  if ((course.kind === 'step' || course.kind === 'step on line') && course.height > 0.3 * (high - low))
    return stillGrows(x, y, course.at + 1) ? leak(course.at + 1) : judged('step', course.at);
  if (!rises(all)) return judged(otherwise);
  return isStopping(x, calm, all) ? judged('plateau', 0) : leak(0);
}

/** Of few dumps the one before the first rise, when they rise at all. */
function firstRise(y: Float64Array): number | undefined {
  if (!(get(y, y.length - 1) > get(y, 0))) return undefined;
  return y.subarray(1).findIndex((v, i) => v > get(y, i));
}

/** Whether the last third of many dumps, but for the very last one, grew in both of its halves nearly as the line does. */
function climbs(x: Float64Array, y: Float64Array, line: Line): boolean {
  const n = y.length;
  const [half, last] = [Math.floor(n / 6), n - 2];
  const grew = (from: number, to: number): boolean => get(y, to) - get(y, from) >= 0.4 * line.slope * (get(x, to) - get(x, from));
  return n >= 12 && rises(line) && grew(last - 2 * half, last - half) && grew(last - half, last);
}

/** Whether the last third of few dumps grew by much less than the line does; of many, courses tell. */
function isStopping(x: Float64Array, y: Float64Array, { slope }: Line): boolean {
  const last = y.length - 1;
  const from = last - Math.floor(y.length / 3);
  return y.length < 12 && get(y, last) - get(y, from) < 0.3 * slope * (get(x, last) - get(x, from));
}

/** Whether the dump is a high point of which little was given back. */
function stays(y: Float64Array, at: number): boolean {
  const [low, high] = extentOf(y);
  const [first, last] = [get(y, 0), get(y, y.length - 1)];
  return get(y, at) - first >= 0.6 * (high - low) && last - first >= 0.7 * (get(y, at) - first);
}

/** Whether what lies behind the dump surely grows by itself; where that is too short to tell, whether it grew every time. */
function stillGrows(x: Float64Array, y: Float64Array, from: number): boolean {
  const behind = y.subarray(from);
  if (behind.length < FEWEST) return behind.subarray(1).every((v, i) => get(behind, i) < v);
  return rises(lineThrough(x.subarray(from), behind));
}

/** Whether growth behind the dump gets less and less. */
function levelsOff(x: Float64Array, y: Float64Array, from: number, noise: number): boolean {
  if (y.length - from < 2 * FEWEST) return true;
  const course = courseOf(x.subarray(from), y.subarray(from), noise);
  return course.kind === 'bend' && course.behind < 0.7 * course.before;
}

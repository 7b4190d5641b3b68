import type { GrowthShape } from '../../api/types';
import { get } from '../../logic/flame-layout';
import { courseOf, extentOf } from './fits';
import { falls, lineThrough, rises, type Line } from './line';
import { isSawtooth } from './sawtooth';
import { stepsOf } from './steps';

/** What a series of numbers does, and since when it grows (`analyze/growth/shape.rs`). */

/** Dumps that there must be to tell a shape. */
export const FEWEST = 5;

export interface Judged {
  readonly shape: GrowthShape;
  /** A leak that rests between jumps. */
  readonly inSteps: boolean;
  /** The last dump before it grew. */
  readonly began: number | undefined;
  /** The line through all, or of a leak since it began. */
  readonly line: Line;
}

/** Judges `y` over `x`, which rises strictly; at least two dumps. */
export function judge(x: Float64Array, y: Float64Array, noise: number): Judged {
  const n = y.length;
  const line = lineThrough(x, y);
  const judged = (shape: GrowthShape, began?: number): Judged => ({ shape, inSteps: false, began, line });
  const [low, high] = extentOf(y);
  const range = high - low;
  if (range === 0) return judged('flat');
  if (n < FEWEST) {
    if (!(get(y, n - 1) > get(y, 0))) return judged('unknown');
    let first = 0;
    while (first < n - 1 && !(get(y, first + 1) > get(y, first))) first++;
    return judged('unknown', first < n - 1 ? first : 0);
  }
  const level: GrowthShape = range <= 0.1 * Math.max(Math.abs(low), Math.abs(high)) ? 'flat' : 'noise';
  if (isSawtooth(y)) return judged(level === 'flat' ? level : 'sawtooth');
  const steps = stepsOf(x, y, Math.max(0.01 * range, 3 * noise));
  if (steps !== undefined) {
    const { began, nJumps, goesOn } = steps;
    if (nJumps === 1 && began === n - 2) return judged(level);
    if (goesOn) return { ...judged('leak', began), inSteps: true };
    return judged(nJumps <= 2 ? 'step' : 'plateau', began);
  }
  const leak = (from: number): Judged => ({ ...judged('leak', from), line: lineThrough(x.subarray(from), y.subarray(from)) });
  if (!rises(line)) return judged(falls(line) ? 'shrinking' : level);
  const course = courseOf(x, y, noise);
  switch (course.kind) {
    case 'level':
    case 'line':
      return judged('leak', 0);
    case 'step':
    case 'step on line': {
      const { at, height } = course;
      if (!(height > 0)) return judged('leak', 0);
      if (!stillGrows(x, y, at + 1)) return judged('step', at);
      return at + 1 < Math.floor(n / 4) ? leak(at + 1) : judged('leak', 0);
    }
    case 'bend': {
      const { at, before, behind } = course;
      if (behind > 0 && stillGrows(x, y, at)) {
        if (before <= 0.3 * behind) return leak(at);
        if (behind >= 0.3 * before) return judged('leak', 0);
        return levelsOff(x, y, at, noise) ? judged('plateau', 0) : leak(at);
      }
      return before > 0 ? judged('plateau', 0) : leak(at);
    }
  }
}

/** Whether what lies behind the dump surely grows by itself, or is too short to tell. */
function stillGrows(x: Float64Array, y: Float64Array, from: number): boolean {
  if (y.length - from < FEWEST) {
    const [first, last] = [Math.max(from - 1, 0), y.length - 1];
    return get(y, last) > get(y, first) && get(y, last) >= get(y, last - 1);
  }
  return rises(lineThrough(x.subarray(from), y.subarray(from)));
}

/** Whether growth behind the dump gets less and less. */
function levelsOff(x: Float64Array, y: Float64Array, from: number, noise: number): boolean {
  if (y.length - from < 2 * FEWEST) return true;
  const course = courseOf(x.subarray(from), y.subarray(from), noise);
  return course.kind === 'bend' && course.behind < 0.7 * course.before;
}

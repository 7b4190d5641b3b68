import { get } from '../../logic/flame-layout';
import { extentOf } from './fits';

/** Ups and downs (`analyze/growth/sawtooth.rs`). */

/** A way up or down between two turns. */
interface Leg {
  readonly isUp: boolean;
  readonly from: number;
  readonly dumps: number;
}

/** Whether `y` grows and falls back again and again. O(n). */
export function isSawtooth(y: Float64Array): boolean {
  const legs = legsOf(y);
  const of = (isUp: boolean): readonly [number, number] => {
    const these = legs.filter((leg) => leg.isUp === isUp);
    return [these.length, these.reduce((sum, leg) => sum + leg.dumps, 0) / Math.max(these.length, 1)];
  };
  const [[nUps, up], [nDowns, down]] = [of(true), of(false)];
  if (nUps === 0 || nDowns < 2) return false;
  const isLopsided = Math.max(up, down) >= 2.5 * Math.min(up, down) && nDowns >= 3;
  const isSlow = (up + down) / 2 >= 3;
  return (isLopsided || isSlow) && directness(y, legs) >= 0.7;
}

/** The ways between turns, where what is less than a third of the range is no turn. */
function legsOf(y: Float64Array): readonly Leg[] {
  const [low, high] = extentOf(y);
  const turn = (high - low) / 3;
  const legs: Leg[] = [];
  let [lowest, highest] = [0, 0];
  let leg: { isUp: boolean; from: number; far: number } | undefined;
  for (let i = 1; i < y.length; i++) {
    const v = get(y, i);
    if (leg === undefined) {
      if (v < get(y, lowest)) lowest = i;
      if (v > get(y, highest)) highest = i;
      if (get(y, highest) - get(y, lowest) >= turn) leg = { isUp: lowest < highest, from: Math.min(lowest, highest), far: i };
      continue;
    }
    const ahead: number = leg.isUp ? v - get(y, leg.far) : get(y, leg.far) - v;
    if (ahead > 0) leg.far = i;
    else if (-ahead >= turn) {
      legs.push({ isUp: leg.isUp, from: leg.from, dumps: leg.far - leg.from });
      leg = { isUp: !leg.isUp, from: leg.far, far: i };
    }
  }
  if (leg !== undefined) legs.push({ isUp: leg.isUp, from: leg.from, dumps: leg.far - leg.from });
  return legs;
}

/** How much of all movement goes the way of its leg, 0 to 1. */
function directness(y: Float64Array, legs: readonly Leg[]): number {
  let [net, all] = [0, 0];
  for (const { from, dumps } of legs) {
    net += Math.abs(get(y, from + dumps) - get(y, from));
    let moved = 0;
    for (let i = from + 1; i <= from + dumps; i++) moved += Math.abs(get(y, i) - get(y, i - 1));
    all += moved;
  }
  return all > 0 ? net / all : 1;
}

import { numberAt as get } from '../../logic/number-at';
import { extentOf } from './fits';

/** Ups and downs (`analyze/growth/sawtooth.rs`). */

/** Whether `y` grows and falls back again and again, with more order in its turns than noise has. O(n). */
export function isSawtooth(y: Float64Array): boolean {
  if (fallsOf(y) < 2) return false;
  const n = y.length;
  let [turns, ups, downs] = [0, 0, 0];
  for (let i = 1; i < n; i++) {
    const move = get(y, i) - get(y, i - 1);
    if (i + 1 < n && move * (get(y, i + 1) - get(y, i)) < 0) turns++;
    if (move > 0) ups++;
    if (move < 0) downs++;
  }
  const turnsSeldom = turns < (2 / 3) * (n - 2) - 1.645 * Math.sqrt((16 * n - 29) / 90);
  const isLopsided = Math.abs(ups - downs) / 2 > 1.96 * Math.sqrt((n + 1) / 12);
  return turnsSeldom || isLopsided;
}

/** How often it falls by a third of its range, with rises as large between the falls. O(n). */
function fallsOf(y: Float64Array): number {
  const [low, high] = extentOf(y);
  const turn = (high - low) / 3;
  let [lowest, highest, falls, isDown] = [get(y, 0), get(y, 0), 0, false];
  for (const value of y) {
    if (isDown) {
      lowest = Math.min(lowest, value);
      if (value - lowest >= turn) [isDown, highest] = [false, value];
    } else {
      highest = Math.max(highest, value);
      if (highest - value >= turn) [isDown, lowest, falls] = [true, value, falls + 1];
    }
  }
  return falls;
}

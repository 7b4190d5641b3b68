import { get } from '../../logic/flame-layout';

/** The dump that a program writes when it ends (`analyze/growth/exit.rs`). */

/** Dumps that there must be to recognize one. */
const FEWEST = 4;

/** Rows with less than this part of the total are not asked. */
const SMALL = 100;

const halves = (before: number, after: number): boolean => before > 0 && after <= Math.floor(before / 2);

/** Whether the last of `totals` was written at exit. `rows`: their values in the last two dumps. */
export function isExit(totals: Float64Array, rows: readonly Float64Array[]): boolean {
  const n = totals.length;
  if (n < FEWEST || !halves(get(totals, n - 2), get(totals, n - 1))) return false;
  for (let i = 1; i < n - 1; i++) if (halves(get(totals, i - 1), get(totals, i))) return false;
  const least = Math.trunc(get(totals, n - 2) / SMALL);
  const matter = rows.filter((values) => get(values, 0) > 0 && get(values, 0) >= least);
  const fell = matter.filter((values) => halves(get(values, 0), get(values, 1)));
  return matter.length > 0 && 3 * fell.length >= 2 * matter.length;
}

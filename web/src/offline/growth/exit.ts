import type { GrowthDump } from '../../api/types';
import { numberAt as get } from '../../logic/number-at';
import type { Answer } from '../answer';
import type { Columns } from './columns';
import type { Series } from './series';

/** The dump that a program writes when it ends (`analyze/growth/exit.rs`). */

/** Dumps that there must be to recognize one. */
const FEWEST = 4;

/** Rows with less than this part of the total are not asked. */
const SMALL = 100;

const halves = (before: number, after: number): boolean => before > 0 && after <= Math.floor(before / 2);

/** Whether the last of `totals` was written at exit. `rows`: their values in the last two dumps. */
function isExit(totals: Float64Array, rows: readonly Float64Array[]): boolean {
  const n = totals.length;
  if (n < FEWEST || !halves(get(totals, n - 2), get(totals, n - 1))) return false;
  for (let i = 1; i < n - 1; i++) if (halves(get(totals, i - 1), get(totals, i))) return false;
  const least = Math.trunc(get(totals, n - 2) / SMALL);
  const matter = rows.filter((values) => get(values, 0) > 0 && get(values, 0) >= least);
  const fell = matter.filter((values) => halves(get(values, 0), get(values, 1)));
  return matter.length > 0 && 3 * fell.length >= 2 * matter.length;
}

/** The series without the dump that was written at exit, and that dump (`analyze/growth/exit.rs`). */
export function withoutExit(
  { profile }: Answer,
  columns: Columns,
  isLost: (row: number) => boolean,
  series: Series,
): { readonly series: Series; readonly atExit: GrowthDump | undefined } {
  const place = series.dump.length - 1;
  const [before, last] = [series.dump[place - 1], series.dump[place]];
  if (before === undefined || last === undefined) return { series, atExit: undefined };
  const { totals } = columns.extents(series.dump);
  const rows = Array.from({ length: columns.nRows }, (_, row) => row).filter((row) => !isLost(row));
  if (!isExit(totals, columns.of(rows, [before, last]))) return { series, atExit: undefined };
  const atExit = {
    dump: last,
    name: profile.dumps[last]?.name ?? '',
    at: get(series.at, place),
    time_nanos: series.timeNanos[place] ?? 0,
    total: get(totals, place),
  };
  const { dump, at, timeNanos } = series;
  return { series: { ...series, dump: dump.slice(0, -1), at: at.slice(0, -1), timeNanos: timeNanos.slice(0, -1) }, atExit };
}

import type { GrowthReport } from '../../api/types';
import { functionOf } from '../names/names';
import { chooseBands, stackOf, type Stack } from './bands';

/** Colours of the timeline: one for each band, the same in the chart, the table and the tooltip. */

/** Number of band colours in the tokens (`--band-0` …): one per band except the rest. */
export const N_BAND_COLORS = 10;

/** Class of a row's colour; rows without a band have that of the rest. */
export function bandClass(stack: Pick<Stack, 'bands'>, row: number): string {
  const band = row < 0 ? -1 : stack.bands.findIndex((b) => b.row === row);
  return band < 0 ? 'rest' : `band-${band % N_BAND_COLORS}`;
}

/** Function → colour of its band in the picture of all dumps; functions without a band are missing. */
export function bandClasses(report: GrowthReport): ReadonlyMap<string, string> {
  const stack = stackOf(report, chooseBands(report));
  return new Map(
    stack.bands.flatMap(({ row }) => {
      const of = report.row[row]?.row;
      return of === undefined ? [] : [[functionOf(of), bandClass(stack, row)] as const];
    }),
  );
}

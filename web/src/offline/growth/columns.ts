import { numberAt as get } from '../../logic/number-at';
import type { Answer } from '../answer';
import { functionOf, nRows as rowsOf, text } from '../profile';
import { growthBy } from './by';

/** Sums by row and dump, without a table of all rows × all dumps (`analyze/growth/columns.rs`). */

/** The only frame of a stack that stands for rows which gperftools dropped. */
export const LOST_ROWS = "[rows lost by gperftools' buffer limit]";

/** How far each row goes over the series. */
export interface Extents {
  readonly first: Float64Array;
  readonly last: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Dump of the series → sum of all rows. */
  readonly totals: Float64Array;
}

export interface Columns {
  readonly nRows: number;
  readonly extents: (dumps: readonly number[]) => Extents;
  /** Dump → what its file has no rows for. */
  readonly lost: (dumps: readonly number[]) => readonly number[];
  /** For each of these rows its value in every dump. */
  readonly of: (rows: readonly number[], dumps: readonly number[]) => readonly Float64Array[];
}

export function makeColumns({ profile, shape, weights, view }: Answer): Columns {
  const by = growthBy(view);
  const [nRows, ofRow] = rowsBy();
  const sums = new Float64Array(nRows);
  const sum = (dump: number): number => {
    sums.fill(0);
    const values = profile.page.sample.values[dump * profile.valueTypes.length + weights.valueType] ?? [];
    let all = 0;
    for (let row = 0; row < ofRow.length; row++) {
      const value = values[row] ?? 0;
      if (value === 0 || get(weights.kept, row) === 0) continue;
      all += value;
      const to = get(ofRow, row);
      if (to >= 0) sums[to] = get(sums, to) + value;
    }
    return all;
  };
  function rowsBy(): readonly [number, ArrayLike<number>] {
    if (by === 'types') return [profile.page.type.name.length, profile.page.sample.type];
    // What has no stack is of nobody.
    if (by === 'stacks') return [shape.parent.length, shape.nodeOfRow.map((node) => (node <= 0 ? -1 : node))];
    return [shape.nKeys, shape.nodeOfRow.map((node) => (node <= 0 ? -1 : get(shape.key, node)))];
  }
  return {
    nRows,
    extents: (dumps) => {
      const totals = new Float64Array(dumps.length);
      let [first, last, low, high] = [sums, sums, sums, sums];
      dumps.forEach((dump, place) => {
        totals[place] = sum(dump);
        if (place === 0) [first, last, low, high] = [sums.slice(), sums.slice(), sums.slice(), sums.slice()];
        for (let row = 0; row < nRows; row++) {
          const value = get(sums, row);
          last[row] = value;
          if (value < get(low, row)) low[row] = value;
          if (value > get(high, row)) high[row] = value;
        }
      });
      return { first, last, low, high, totals };
    },
    lost: (dumps) => {
      const isLost = (row: number): boolean => {
        const stack = get(profile.rowStack, row);
        const called = stack === 0 ? -1 : functionOf(profile, get(profile.frame, stack));
        return called >= 0 && text(profile, get(profile.page.function.name, called)) === LOST_ROWS;
      };
      const rows = Array.from({ length: rowsOf(profile) }, (_, row) => row).filter((row) => get(weights.kept, row) !== 0 && isLost(row));
      const value = (dump: number, row: number): number =>
        profile.page.sample.values[dump * profile.valueTypes.length + weights.valueType]?.[row] ?? 0;
      return dumps.map((dump) => rows.reduce((sum, row) => sum + value(dump, row), 0));
    },
    of: (rows, dumps) => {
      const found = rows.map(() => new Float64Array(dumps.length));
      dumps.forEach((dump, place) => {
        sum(dump);
        rows.forEach((row, i) => {
          const values = found[i];
          if (values !== undefined) values[place] = get(sums, row);
        });
      });
      return found;
    },
  };
}

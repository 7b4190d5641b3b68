import type { FlameReport } from '../../api/types';
import { numberAt } from '../number-at';
import { layoutFlame, rowsOf, type FlameLayout, type FlameScale } from './layout';
import { functionOf } from '../names/names';

/**
 * One function in the middle, its callers above, its callees below: two trees that share their first box. Callers come
 * from the tree of stacks that end at the function, callees from the tree of those that begin there.
 */
export interface Around {
  readonly report: FlameReport & { readonly root: number };
  readonly layout: FlameLayout;
}

type NumberColumn =
  | 'node'
  | 'depth'
  | 'cum'
  | 'flat'
  | 'cum_base'
  | 'flat_base'
  | 'cum_companion'
  | 'cum_samples'
  | 'cum_error'
  | 'cum_change_error'
  | 'cum_grown'
  | 'cum_shrunk'
  | 'inlined';

const COLUMNS: readonly NumberColumn[] = [
  'node',
  'depth',
  'cum',
  'flat',
  'cum_base',
  'flat_base',
  'cum_companion',
  'cum_samples',
  'cum_error',
  'cum_change_error',
  'cum_grown',
  'cum_shrunk',
  'inlined',
];

/** Columns of `report` made by `of`; those that were not requested stay empty. */
function mapColumns(report: FlameReport, of: (column: readonly number[], name: NumberColumn) => readonly number[]): FlameReport {
  const columns: Partial<Record<NumberColumn, readonly number[]>> = {};
  for (const name of COLUMNS) columns[name] = report[name].length === 0 ? [] : of(report[name], name);
  return { ...report, ...columns };
}

/**
 * The tree below the function `name`, which the answer has just below everything. Several boxes of it (lines,
 * inlined and not) get one above them. Undefined: it is not there.
 */
export function beginningAt(report: FlameReport, name: string): FlameReport | undefined {
  const layout = layoutFlame(report);
  const starts: number[] = [];
  for (let box = 1; box < layout.n; box = numberAt(layout.end, box)) {
    const row = report.row[numberAt(report.node, box)];
    if (row !== undefined && functionOf(row) === name) starts.push(box);
  }
  const [first, ...more] = starts;
  if (first === undefined) return undefined;
  const slices = (column: readonly number[]): number[] => starts.flatMap((box) => column.slice(box, numberAt(layout.end, box)));
  if (more.length === 0)
    return { ...mapColumns(report, (column, key) => (key === 'depth' ? slices(column).map((d) => d - 1) : slices(column))), id: [] };
  const sum = (column: readonly number[]): number => starts.reduce((total, box) => total + numberAt(column, box), 0);
  return {
    ...mapColumns(report, (column, key) => {
      const head = key === 'node' ? numberAt(column, first) : key === 'depth' || key === 'inlined' ? 0 : sum(column);
      return [head, ...slices(column)];
    }),
    id: [],
  };
}

/** Both trees on one canvas; without callers the function is at the top. */
export function layoutAround(callers: FlameReport | undefined, callees: FlameReport, scale: FlameScale): Around {
  const up = callers ?? mapColumns(callees, (column) => column.slice(0, 1));
  const [above, below] = [layoutFlame(up, scale), layoutFlame(callees, scale)];
  const nUp = above.n;
  const row = [...callees.row];
  const numberOf = new Map(row.map(({ name }, i) => [name, i]));
  const renumbered = up.row.map((r) => numberOf.get(r.name) ?? row.push(r) - 1);
  const report = {
    ...mapColumns(callees, (column, key) => {
      const upper = up[key].slice(1);
      const named = key === 'node' ? upper.map((r) => (r < 0 ? r : (renumbered[r] ?? -1))) : upper;
      return [numberAt(column, 0), ...named, ...column.slice(1)];
    }),
    inverted: false,
    row,
    root: 0,
    id: [],
  };
  const joined = (of: (layout: FlameLayout) => ArrayLike<number>, below1: (value: number) => number): number[] => [
    ...Array.from(of(above)),
    ...Array.from(of(below)).slice(1).map(below1),
  ];
  const same = (value: number): number => value;
  const shifted = (box: number): number => (box === 0 ? 0 : box - 1 + nUp);
  const end = Int32Array.from(joined((l) => l.end, shifted));
  end[0] = nUp + below.n - 1;
  const middle = above.nRows - 1;
  const depth = Int32Array.from(joined((l) => l.depth, same));
  const rowOfBox = depth.map((d, box) => (box < nUp ? middle - d : middle + d));
  const nRows = middle + below.nRows;
  return {
    report,
    layout: {
      n: nUp + below.n - 1,
      x0: Float64Array.from(joined((l) => l.x0, same)),
      x1: Float64Array.from(joined((l) => l.x1, same)),
      depth,
      row: rowOfBox,
      root: 0,
      nUp,
      end,
      parent: Int32Array.from(joined((l) => l.parent, shifted)),
      nRows,
      ...rowsOf(rowOfBox, nRows),
    },
  };
}

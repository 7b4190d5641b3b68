/** The tree as table rows: the box of each row, its depth, and whether it opens. */
import type { FlameReport } from '../../api/types';
import { numberAt } from '../number-at';

export interface TreeRows {
  readonly n: number;
  /** Row → box. */
  readonly box: Int32Array;
  /** Row → 1 for the outermost rows. */
  readonly level: Int32Array;
  /** Row → the row that it is in; −1 for the outermost. */
  readonly parent: Int32Array;
  /** Row → indentation in pixels; a chain of only children is indented less. */
  readonly indent: Int32Array;
}

const STEP = 14;
const CHAIN_STEP = 4;

/** Rows of a report; the root is not a row, a zoomed box is. O(boxes). */
export function treeRows(report: FlameReport): TreeRows {
  const skip = numberAt(report.node, 0) < 0 ? 1 : 0;
  const n = Math.max(0, report.node.length - skip);
  const [box, level, parent, indent] = [new Int32Array(n), new Int32Array(n), new Int32Array(n).fill(-1), new Int32Array(n)];
  const children = new Int32Array(n);
  const open: number[] = [];
  for (let row = 0; row < n; row++) {
    const depth = numberAt(report.depth, row + skip) - skip;
    open.length = depth;
    const up = open.at(-1) ?? -1;
    box[row] = row + skip;
    level[row] = depth + 1;
    parent[row] = up;
    if (up >= 0) children[up] = numberAt(children, up) + 1;
    open.push(row);
  }
  for (let row = 0; row < n; row++) {
    const up = numberAt(parent, row);
    if (up >= 0) indent[row] = numberAt(indent, up) + (numberAt(children, up) > 1 ? STEP : CHAIN_STEP);
  }
  return { n, box, level, parent, indent };
}

export type TreeState = 'open' | 'closed' | 'leaf' | 'folded';

/** State of a row; `folded` rows represent small ones that can be opened. */
export function treeState(report: FlameReport, rows: TreeRows, row: number): TreeState {
  const box = numberAt(rows.box, row);
  if (numberAt(report.node, box) < 0) return 'folded';
  if (numberAt(report.closed, box) === 1) return 'closed';
  return row + 1 < rows.n && numberAt(rows.parent, row + 1) === row ? 'open' : 'leaf';
}

/** An id as written in the address. */
export function shortId(report: FlameReport, box: number): string {
  return (report.id[box] ?? '').slice(0, 8);
}

/** Id of a row for the address; “smaller ones” have the id of the row that contains them. */
export function rowKey(report: FlameReport, rows: TreeRows, row: number): string {
  const [box, up] = [numberAt(rows.box, row), numberAt(rows.parent, row)];
  return treeState(report, rows, row) === 'folded' ? `${up < 0 ? '' : shortId(report, numberAt(rows.box, up))}-` : shortId(report, box);
}

/** Number of the row with this key; −1 when it is not there. */
export function rowOfKey(report: FlameReport, rows: TreeRows, key: string): number {
  if (key === '') return -1;
  for (let row = 0; row < rows.n; row++) if (rowKey(report, rows, row) === key) return row;
  return -1;
}

/** More would make addresses that browsers and mail programs cut. */
export const MOST_OPEN = 250;

export type TreeChange =
  | { readonly kind: 'open' | 'close' | 'hottest'; readonly row: number }
  /** All children of the row's box, including small ones. */
  | { readonly kind: 'all'; readonly row: number }
  | { readonly kind: 'hottest-of-all' };

/** Value in the address for the open rows after a change; undefined if too many would be open. */
export function openAfter(report: FlameReport, rows: TreeRows, before: string, change: TreeChange): string | undefined {
  if (change.kind === 'hottest-of-all') return '*';
  const wasAll = new Set(before.split('.').flatMap((word) => (word.endsWith('_') ? [word.slice(0, -1)] : [])));
  const words = new Map<string, string>();
  if (wasAll.has('')) words.set('', '_');
  for (let row = 0; row < rows.n; row++) {
    const id = shortId(report, numberAt(rows.box, row));
    // A zoomed box is always open.
    if (treeState(report, rows, row) === 'open' && id !== '' && numberAt(rows.box, row) > 0) words.set(id, wasAll.has(id) ? '_' : '');
  }
  const at = change.kind === 'all' ? numberAt(rows.parent, change.row) : change.row;
  const id = at < 0 || numberAt(rows.box, at) === 0 ? '' : shortId(report, numberAt(rows.box, at));
  if (change.kind === 'close') words.delete(id);
  else words.set(id, change.kind === 'all' ? '_' : change.kind === 'hottest' ? '*' : (words.get(id) ?? ''));
  if (words.size > MOST_OPEN) return undefined;
  const text = [...words].map(([word, mark]) => word + mark).join('.');
  return text === '' ? 'none' : text;
}

/** The end of the hottest path from a row: first child by first child, until a row has only small ones. */
export function hottestEnd(report: FlameReport, rows: TreeRows, from: number): number {
  let row = from;
  while (row + 1 < rows.n && numberAt(rows.parent, row + 1) === row && treeState(report, rows, row + 1) !== 'folded') row++;
  return row;
}

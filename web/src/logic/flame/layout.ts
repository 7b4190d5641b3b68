import type { FlameReport } from '../../api/types';
import { numberAt } from '../number-at';

/** Side of a comparison that gives boxes their width. */
export type FlameScale = 'both' | 'value' | 'base';

/** Boxes in preorder with their place: x from 0 to 1 of the whole width. */
export interface FlameLayout {
  readonly n: number;
  readonly x0: Float64Array;
  readonly x1: Float64Array;
  readonly depth: Int32Array;
  /** Box → row on the screen, from 0 at the top: its depth, unless callers are above the first box (see `sandwich.ts`). */
  readonly row: Int32Array;
  /** Box that fills the width; those before it are its callers. */
  readonly root: number;
  /** Boxes 1 … `nUp` − 1 are callers, drawn above the first box, outermost on top; 0 if there are none. */
  readonly nUp: number;
  /** Box → first box after its subtree. */
  readonly end: Int32Array;
  /** Box → box around it; −1 for the first. */
  readonly parent: Int32Array;
  readonly nRows: number;
  /** Boxes of row r, from left to right: `boxOfRow[rowStart[r] .. rowStart[r + 1]]`. */
  readonly rowStart: Int32Array;
  readonly boxOfRow: Int32Array;
}

/** Weight that gives box `i` its width. */
export function boxWeight(report: FlameReport, i: number, scale: FlameScale): number {
  const value = Math.abs(numberAt(report.cum, i));
  if (report.cum_base.length === 0) return value;
  const base = Math.abs(numberAt(report.cum_base, i));
  return scale === 'value' ? value : scale === 'base' ? base : value + base;
}

/**
 * Children side by side from their parent's left edge; what is left at the right is the parent's own. The callers of
 * a zoomed box (those before `root`) have the full width, as it has. O(boxes).
 */
export function layoutFlame(report: FlameReport & { readonly root?: number }, scale: FlameScale = 'both'): FlameLayout {
  const n = report.node.length;
  const root = report.root ?? 0;
  const [x0, x1, next] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  const [depth, end, parent] = [new Int32Array(n), new Int32Array(n).fill(n), new Int32Array(n).fill(-1)];
  const perUnit = new Float64Array(n);
  const open: number[] = [];
  let nRows = 0;
  for (let i = 0; i < n; i++) {
    const d = numberAt(report.depth, i);
    depth[i] = d;
    nRows = Math.max(nRows, d + 1);
    while (open.length > d) end[open.pop() ?? 0] = i;
    const up = open.at(-1) ?? -1;
    parent[i] = up;
    const weight = boxWeight(report, i, scale);
    if (i <= root) x1[i] = 1;
    else {
      const left = numberAt(next, up);
      x0[i] = left;
      x1[i] = Math.min(numberAt(x1, up), left + weight * numberAt(perUnit, up));
      next[up] = numberAt(x1, i);
    }
    perUnit[i] = weight === 0 ? 0 : (numberAt(x1, i) - numberAt(x0, i)) / weight;
    next[i] = numberAt(x0, i);
    open.push(i);
  }
  return { n, x0, x1, depth, row: depth, root, nUp: 0, end, parent, nRows, ...rowsOf(depth, nRows) };
}

/** Boxes by row, from left to right. */
export function rowsOf(row: Int32Array, nRows: number): Pick<FlameLayout, 'rowStart' | 'boxOfRow'> {
  const rowStart = new Int32Array(nRows + 1);
  for (const d of row) rowStart[d + 1] = numberAt(rowStart, d + 1) + 1;
  for (let r = 0; r < nRows; r++) rowStart[r + 1] = numberAt(rowStart, r + 1) + numberAt(rowStart, r);
  const fill = rowStart.slice();
  const boxOfRow = new Int32Array(row.length);
  row.forEach((d, i) => {
    const slot = numberAt(fill, d);
    boxOfRow[slot] = i;
    fill[d] = slot + 1;
  });
  return { rowStart, boxOfRow };
}

/** Part of the layout that is on the screen. */
export interface FlameView {
  /** Left and right edge, in the layout's 0…1. */
  readonly from: number;
  readonly to: number;
  readonly firstRow: number;
  readonly lastRow: number;
  /** Pixels between `from` and `to`. */
  readonly width: number;
}

/** Calls `emit` for each box that covers at least a pixel; leaves out subtrees that cannot. */
export function eachVisible(layout: FlameLayout, view: FlameView, emit: (box: number, left: number, right: number) => void): void {
  const pixels = view.width / (view.to - view.from);
  for (let i = 0; i < layout.n;) {
    const left = (numberAt(layout.x0, i) - view.from) * pixels;
    const right = (numberAt(layout.x1, i) - view.from) * pixels;
    const row = numberAt(layout.row, i);
    const isPast = i > 0 && i < layout.nUp ? row < view.firstRow : row > view.lastRow;
    if (right - left < 0.6 || right <= 0 || left >= view.width || (isPast && (i > 0 || layout.nUp === 0))) {
      i = numberAt(layout.end, i);
      continue;
    }
    if (row >= view.firstRow && row <= view.lastRow) emit(i, left, right);
    i++;
  }
}

/** The boxes whose row matches, in preorder; callers of the zoomed box are not searched. */
export function boxesOf(report: FlameReport & { readonly root?: number }, matches: Uint8Array): Int32Array {
  const root = report.root ?? 0;
  return Int32Array.from(report.node.flatMap((row, box) => (box >= root && row >= 0 && numberAt(matches, row) !== 0 ? [box] : [])));
}

/** Value of the boxes from `root` on whose row matches, each stack counted once: inside a match nothing is added. */
export function matchedSum(
  report: FlameReport,
  layout: FlameLayout,
  matches: Uint8Array,
): { readonly value: number; readonly base: number; readonly boxes: number } {
  let [value, base, boxes] = [0, 0, 0];
  let inside = 0;
  for (let i = layout.root; i < layout.n; i++) {
    const row = numberAt(report.node, i);
    if (row < 0 || numberAt(matches, row) === 0) continue;
    boxes++;
    if (i < inside) continue;
    inside = numberAt(layout.end, i);
    value += numberAt(report.cum, i);
    base += numberAt(report.cum_base, i);
  }
  return { value, base, boxes };
}

import { get } from '../get';
import type { FlameLayout } from './layout';

/** The box of row `row` at `x` (0…1); −1 when there is none. O(log boxes of the row). */
export function boxAt(layout: FlameLayout, row: number, x: number): number {
  if (row < 0 || row >= layout.nRows) return -1;
  let low = get(layout.rowStart, row);
  let high = get(layout.rowStart, row + 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (get(layout.x1, get(layout.boxOfRow, middle)) <= x) low = middle + 1;
    else high = middle;
  }
  if (low >= get(layout.rowStart, row + 1)) return -1;
  const box = get(layout.boxOfRow, low);
  return get(layout.x0, box) <= x && x < get(layout.x1, box) ? box : -1;
}

export type Step = 'up' | 'down' | 'left' | 'right';

/** Box that an arrow key moves to from `box`: its caller, heaviest callee, or a neighbour in the row. */
export function stepFrom(layout: FlameLayout, box: number, step: Step): number {
  const inside = box + 1 < get(layout.end, box) ? box + 1 : box;
  if (layout.nUp > 0 && (step === 'up' || step === 'down')) {
    // Callers are the children of the first box, drawn above it.
    if (box === 0) return step === 'up' ? Math.min(1, layout.nUp - 1) : layout.nUp < layout.n ? layout.nUp : 0;
    if (box < layout.nUp) return step === 'up' ? inside : get(layout.parent, box);
  }
  switch (step) {
    case 'up':
      return Math.max(0, get(layout.parent, box));
    case 'down':
      return inside;
    case 'left':
    case 'right': {
      const row = get(layout.row, box);
      const first = get(layout.rowStart, row);
      const last = get(layout.rowStart, row + 1) - 1;
      let at = first;
      while (at < last && get(layout.boxOfRow, at) !== box) at++;
      return get(layout.boxOfRow, Math.max(first, Math.min(last, at + (step === 'left' ? -1 : 1))));
    }
  }
}

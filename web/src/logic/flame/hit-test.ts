import { numberAt } from '../number-at';
import type { FlameLayout } from './layout';

/** The box of row `row` at `x` (0…1); −1 when there is none. O(log boxes of the row). */
export function boxAt(layout: FlameLayout, row: number, x: number): number {
  if (row < 0 || row >= layout.nRows) return -1;
  let low = numberAt(layout.rowStart, row);
  let high = numberAt(layout.rowStart, row + 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberAt(layout.x1, numberAt(layout.boxOfRow, middle)) <= x) low = middle + 1;
    else high = middle;
  }
  if (low >= numberAt(layout.rowStart, row + 1)) return -1;
  const box = numberAt(layout.boxOfRow, low);
  return numberAt(layout.x0, box) <= x && x < numberAt(layout.x1, box) ? box : -1;
}

export type Step = 'up' | 'down' | 'left' | 'right';

/** Box that an arrow key moves to from `box`: its caller, heaviest callee, or a neighbour in the row. */
export function stepFrom(layout: FlameLayout, box: number, step: Step): number {
  const inside = box + 1 < numberAt(layout.end, box) ? box + 1 : box;
  if (layout.nUp > 0 && (step === 'up' || step === 'down')) {
    // Callers are the children of the first box, drawn above it.
    if (box === 0) return step === 'up' ? Math.min(1, layout.nUp - 1) : layout.nUp < layout.n ? layout.nUp : 0;
    if (box < layout.nUp) return step === 'up' ? inside : numberAt(layout.parent, box);
  }
  switch (step) {
    case 'up':
      return Math.max(0, numberAt(layout.parent, box));
    case 'down':
      return inside;
    case 'left':
    case 'right': {
      const row = numberAt(layout.row, box);
      const first = numberAt(layout.rowStart, row);
      const last = numberAt(layout.rowStart, row + 1) - 1;
      let at = first;
      while (at < last && numberAt(layout.boxOfRow, at) !== box) at++;
      return numberAt(layout.boxOfRow, Math.max(first, Math.min(last, at + (step === 'left' ? -1 : 1))));
    }
  }
}

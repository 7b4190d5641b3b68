import { get, type FlameLayout } from './flame-layout';

/** The box of row `depth` at `x` (0…1); −1 when there is none. O(log boxes of the row). */
export function boxAt(layout: FlameLayout, depth: number, x: number): number {
  if (depth < 0 || depth >= layout.nRows) return -1;
  let low = get(layout.rowStart, depth);
  let high = get(layout.rowStart, depth + 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (get(layout.x1, get(layout.boxOfRow, middle)) <= x) low = middle + 1;
    else high = middle;
  }
  if (low >= get(layout.rowStart, depth + 1)) return -1;
  const box = get(layout.boxOfRow, low);
  return get(layout.x0, box) <= x && x < get(layout.x1, box) ? box : -1;
}

export type Step = 'up' | 'down' | 'left' | 'right';

/** Where an arrow key leads from `box`: the box around it, its heaviest part, its neighbours in the row. */
export function stepFrom(layout: FlameLayout, box: number, step: Step): number {
  switch (step) {
    case 'up':
      return Math.max(0, get(layout.parent, box));
    case 'down':
      return box + 1 < get(layout.end, box) ? box + 1 : box;
    case 'left':
    case 'right': {
      const depth = get(layout.depth, box);
      const first = get(layout.rowStart, depth);
      const last = get(layout.rowStart, depth + 1) - 1;
      let at = first;
      while (at < last && get(layout.boxOfRow, at) !== box) at++;
      return get(layout.boxOfRow, Math.max(first, Math.min(last, at + (step === 'left' ? -1 : 1))));
    }
  }
}

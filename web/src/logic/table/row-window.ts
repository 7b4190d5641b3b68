/** Windows of rows for virtual scrolling. */

export interface RowWindow {
  readonly first: number;
  readonly last: number;
}

/** Rows are added and removed in steps of this size, so that most scroll events change nothing. */
const STEP = 8;

/** Rows `first..last` (last excluded) that a scrolled box of `height` shows, and `spare` more on each side. */
export function visibleRows(scrollTop: number, height: number, rowHeight: number, n: number, spare = STEP): RowWindow {
  const top = Math.floor(scrollTop / rowHeight) - spare;
  const bottom = Math.ceil((scrollTop + height) / rowHeight) + spare;
  const first = Math.max(0, Math.min(n, Math.floor(top / STEP) * STEP));
  const last = Math.min(n, Math.ceil(bottom / STEP) * STEP);
  return { first, last: Math.max(first, last) };
}

/** The most rows that `visibleRows` gives for this height. */
export function maxRows(height: number, rowHeight: number, spare = STEP): number {
  return Math.ceil(height / rowHeight) + 1 + 2 * spare + 2 * STEP;
}

/** Scroll offset that shows `row`, as near as possible to the current one. */
export function scrollToShow(row: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}

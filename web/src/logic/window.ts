/** Which rows of a long table are on the screen. */

export interface RowWindow {
  readonly first: number;
  readonly last: number;
}

/** Rows `first..last` (last excluded) that a scrolled box of `height` shows, and `spare` more on each side. */
export function visibleRows(scrollTop: number, height: number, rowHeight: number, n: number, spare = 8): RowWindow {
  const first = Math.max(0, Math.min(n, Math.floor(scrollTop / rowHeight) - spare));
  const last = Math.min(n, Math.ceil((scrollTop + height) / rowHeight) + spare);
  return { first, last: Math.max(first, last) };
}

/** Where to scroll so that `row` is seen, moving as little as possible. */
export function scrollToShow(row: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = row * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}

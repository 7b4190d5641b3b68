import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { scrollToShow, visibleRows, type RowWindow } from '../logic/table/row-window';

export interface Rows extends RowWindow {
  /** The box that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** Inner size of the box, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly onScroll: () => void;
  /** Scrolls as little as needed to show the row; `middle` centres a row that was not visible. */
  readonly show: (row: number, middle?: boolean) => void;
}

interface Options {
  readonly rowHeight: number;
  /** Height of the head, which stays in place. */
  readonly headHeight?: number;
  /** The window is computed again when this changes. */
  readonly version?: unknown;
  /** Called with the rows on the screen when they may have changed. */
  readonly onWindow?: ((first: number, last: number) => void) | undefined;
}

/** Size that is assumed until the box is measured. */
const UNMEASURED = { width: 1100, height: 600 };

/** Virtual scroller: which of `n` rows of equal height are on the screen. Scrolling renders only when other rows become visible. */
export function useRows(n: number, { rowHeight, headHeight = 0, version, onWindow }: Options): Rows {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(UNMEASURED);
  const [seen, setSeen] = useState<RowWindow>(() => visibleRows(0, UNMEASURED.height, rowHeight, n));
  const update = (): void => {
    const element = box.current;
    if (element === null) return;
    const next = visibleRows(element.scrollTop, element.clientHeight, rowHeight, n);
    if (next.first !== seen.first || next.last !== seen.last) setSeen(next);
    onWindow?.(next.first, next.last);
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => {
      setSize((old) => {
        const { clientWidth: width, clientHeight: height } = element;
        return old.width === width && old.height === height ? old : { width, height };
      });
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => {
      resized.disconnect();
    };
  }, []);
  useLayoutEffect(update, [n, size.height, version]);
  return {
    first: Math.min(seen.first, n),
    last: Math.min(seen.last, n),
    box,
    ...size,
    onScroll: update,
    show: (row, middle = false) => {
      const element = box.current;
      if (element === null) return;
      const inside = element.clientHeight - headHeight;
      const to = scrollToShow(row, element.scrollTop, inside, rowHeight);
      if (to !== element.scrollTop) element.scrollTop = middle ? Math.max(0, row * rowHeight - inside / 2) : to;
    },
  };
}

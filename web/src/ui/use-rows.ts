import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { scrollToShow, visibleRows, type RowWindow } from '../logic/table/row-window';

export interface Rows extends RowWindow {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly height: number;
  readonly onScroll: (event: Event) => void;
  /** Scrolls as little as shows the row; `middle` puts one that is not seen in the middle. */
  readonly show: (row: number, middle?: boolean) => void;
}

/** Which rows of a scrolled box are on the screen; rows are of one height, below a head that stays. */
export function useRows(n: number, rowHeight: number, headHeight = 0): Rows {
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const read = (): void => {
      setScroll({ top: element.scrollTop, height: element.clientHeight });
    };
    read();
    const resized = new ResizeObserver(read);
    resized.observe(element);
    return () => {
      resized.disconnect();
    };
  }, []);
  return {
    ...visibleRows(scroll.top, scroll.height, rowHeight, n),
    box,
    height: scroll.height,
    onScroll: () => {
      const element = box.current;
      if (element !== null) setScroll({ top: element.scrollTop, height: element.clientHeight });
    },
    show: (row, middle = false) => {
      const element = box.current;
      if (element === null) return;
      const seen = element.clientHeight - headHeight;
      const to = scrollToShow(row, element.scrollTop, seen, rowHeight);
      if (to !== element.scrollTop) element.scrollTop = middle ? Math.max(0, row * rowHeight - seen / 2) : to;
    },
  };
}

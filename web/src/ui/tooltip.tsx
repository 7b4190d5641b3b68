import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  readonly x: number;
  readonly y: number;
  /** Bottom of the element that the tooltip belongs to, in pixels of the window: it stays above that, on the side with more room. */
  readonly above?: number;
  readonly children: ComponentChildren;
}

const GAP = 14;

/** Follows the pointer and stays on the screen; never below the pointer. In the browser's top layer, so nothing cuts it. */
export function Tooltip({ x, y, above, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.showPopover();
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { clientWidth, clientHeight } = element.ownerDocument.documentElement;
    const { width, height } = element.getBoundingClientRect();
    const isRight = above === undefined ? x + GAP + width <= clientWidth - 8 : x < clientWidth / 2;
    const left = isRight ? x + GAP : x - GAP - width;
    const lowest = above ?? clientHeight - 8;
    const top = y + GAP + height <= lowest ? y + GAP : above === undefined ? y - GAP - height : lowest - height;
    element.style.transform = `translate(${Math.round(Math.max(8, Math.min(left, clientWidth - width - 8)))}px, ${Math.round(Math.max(8, top))}px)`;
  });
  return (
    <div class="tooltip" ref={box} role="tooltip" popover="manual">
      {children}
    </div>
  );
}

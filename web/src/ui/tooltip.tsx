import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  readonly x: number;
  readonly y: number;
  readonly children: ComponentChildren;
}

const GAP = 14;

/** Follows the pointer and stays on the screen; never in the pointer's way. */
export function Tooltip({ x, y, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { clientWidth, clientHeight } = element.ownerDocument.documentElement;
    const { width, height } = element.getBoundingClientRect();
    const left = x + GAP + width > clientWidth - 8 ? x - GAP - width : x + GAP;
    const top = y + GAP + height > clientHeight - 8 ? y - GAP - height : y + GAP;
    element.style.transform = `translate(${Math.round(Math.max(8, left))}px, ${Math.round(Math.max(8, top))}px)`;
  });
  return (
    <div class="tooltip" ref={box} role="tooltip">
      {children}
    </div>
  );
}

import type { Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { boxAt } from '../../logic/flame/hit-test';
import type { FlameLayout } from '../../logic/flame/layout';
import { FLAME_PAD, FLAME_ROW } from '../../paint/flame/scene';
import { useDrag } from '../../ui/use-drag';
import { hoverHandlers, type Hover } from '../../ui/use-hover';
import type { FlameCamera } from './camera';

interface Options {
  readonly layout: FlameLayout;
  readonly camera: FlameCamera;
  readonly hover: Signal<Hover | undefined>;
  /** Box that was clicked; −1 outside of all boxes. */
  readonly onPick: (box: number) => void;
  /** A double click on a box. */
  readonly onZoom: (box: number) => void;
  readonly onCursor: (box: number) => void;
  readonly onMenu: (box: number, x: number, y: number) => void;
}

/** A click on a box: the second of a double click belongs to the same one, though the details panel may have moved the graph. */
interface Click {
  readonly box: number;
  readonly time: number;
  readonly x: number;
  readonly y: number;
}

const NO_CLICK: Click = { box: -1, time: -Infinity, x: 0, y: 0 };
const DOUBLE_MS = 500;
const DOUBLE_SLACK = 6;

function isSecond(first: Click, event: MouseEvent): boolean {
  return event.timeStamp - first.time < DOUBLE_MS && Math.hypot(event.clientX - first.x, event.clientY - first.y) < DOUBLE_SLACK;
}

/** Handlers of the mouse over the boxes: hover, click, double click, drag and the menu. */
export function useFlamePointer({ layout, camera, hover, onPick, onZoom, onCursor, onMenu }: Options) {
  const { scroller, size, top } = camera;
  const boxUnder = (event: MouseEvent): number => {
    const rect = scroller.current?.getBoundingClientRect();
    const [from, to] = camera.span.value;
    const x = from + ((event.clientX - (rect?.left ?? 0)) / Math.max(1, size.value.width)) * (to - from);
    return boxAt(layout, Math.floor((event.clientY - (rect?.top ?? 0) + top.value - FLAME_PAD) / FLAME_ROW), x);
  };
  const clicked = useRef<Click>(NO_CLICK);
  const onPointerDown = useDrag({
    onMove: (dx, dy) => {
      hover.value = undefined;
      const [from, to] = camera.span.value;
      camera.pan((-dx / size.value.width) * (to - from));
      camera.scrollTo(top.value - dy);
    },
    onClick: (event) => {
      if (isSecond(clicked.current, event)) return;
      const box = boxUnder(event);
      clicked.current = { box, time: event.timeStamp, x: event.clientX, y: event.clientY };
      onPick(box);
    },
  });
  useEffect(
    () => () => {
      hover.value = undefined;
    },
    [],
  );
  return {
    ...hoverHandlers(hover, boxUnder),
    onPointerDown,
    onDblClick: () => {
      const { box } = clicked.current;
      clicked.current = NO_CLICK;
      if (box >= 0) onZoom(box);
    },
    onContextMenu: (event: MouseEvent) => {
      event.preventDefault();
      const box = boxUnder(event);
      hover.value = undefined;
      if (box < 0) return;
      onCursor(box);
      onMenu(box, event.clientX, event.clientY);
    },
  };
}

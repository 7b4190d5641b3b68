import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { bringIn, fit, openAt, zoomAt, type Camera } from '../../logic/pan-zoom';
import { useDrag } from '../../ui/use-drag';
import { ZOOM_STEP } from './bar';

/** Part of the drawing in the window, and functions that move it. */
export interface GraphCamera {
  readonly at: ReadonlySignal<Camera>;
  /** Zooms at a point of the page, or at the middle of the window. */
  readonly zoom: (factor: number, clientX?: number, clientY?: number) => void;
  /** Shows the whole drawing of this size. */
  readonly fit: (width: number, height: number) => void;
  /** Opens a drawing of this size so that the point is seen. */
  readonly openAt: (width: number, height: number, x: number, y: number) => void;
  /** Brings a point with so much on both sides into the window, moving as little as possible. */
  readonly bringIn: (x: number, y: number, half: number) => void;
  /** Whether a point is in the window. */
  readonly isSeen: (x: number, y: number) => boolean;
  readonly onPointerDown: (event: PointerEvent) => void;
  /** Whether a key moved the window: arrows, plus and minus. */
  readonly onKey: (key: string) => boolean;
}

const WHEEL_SPEED = 0.0014;
/** Pixels that an arrow key moves. */
const PAN = 60;
const PANS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [PAN, 0],
  ArrowRight: [-PAN, 0],
  ArrowUp: [0, PAN],
  ArrowDown: [0, -PAN],
};

/** The camera over `stage`: drag and arrows move it, wheel, plus and minus zoom. */
export function useGraphCamera(stage: RefObject<HTMLElement | null>): GraphCamera {
  const camera = useSignal<Camera>({ scale: 1, x: 0, y: 0 });
  const pan = (dx: number, dy: number): void => {
    camera.value = { ...camera.value, x: camera.value.x + dx, y: camera.value.y + dy };
  };
  const zoom = (factor: number, clientX?: number, clientY?: number): void => {
    const rect = stage.current?.getBoundingClientRect();
    if (rect === undefined) return;
    const [x, y] = [clientX ?? rect.left + rect.width / 2, clientY ?? rect.top + rect.height / 2];
    camera.value = zoomAt(camera.value, factor, x - rect.left, y - rect.top);
  };
  useEffect(() => {
    const element = stage.current;
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * WHEEL_SPEED), event.clientX, event.clientY);
    };
    element?.addEventListener('wheel', wheel, { passive: false });
    return () => {
      element?.removeEventListener('wheel', wheel);
    };
  }, []);
  const onPointerDown = useDrag({ onMove: pan });
  return {
    at: camera,
    zoom,
    fit: (width, height) => {
      const element = stage.current;
      if (element !== null) camera.value = fit(width, height, element.clientWidth, element.clientHeight);
    },
    openAt: (width, height, x, y) => {
      const element = stage.current;
      if (element !== null) camera.value = openAt(width, height, element.clientWidth, element.clientHeight, x, y);
    },
    bringIn: (x, y, half) => {
      const element = stage.current;
      if (element !== null) camera.value = bringIn(camera.peek(), element.clientWidth, element.clientHeight, x, y, half);
    },
    isSeen: (x, y) => {
      const { scale, x: left, y: top } = camera.peek();
      const [px, py] = [x * scale + left, y * scale + top];
      return px > 0 && py > 0 && px < (stage.current?.clientWidth ?? 0) && py < (stage.current?.clientHeight ?? 0);
    },
    onPointerDown,
    onKey: (key) => {
      const by = PANS[key];
      if (key === '+' || key === '=') zoom(ZOOM_STEP);
      else if (key === '-') zoom(1 / ZOOM_STEP);
      else if (by !== undefined) pan(...by);
      else return false;
      return true;
    },
  };
}

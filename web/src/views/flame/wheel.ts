import { useEffect, useRef } from 'preact/hooks';
import { zoomSpan } from '../../logic/pan-zoom';
import type { FlameCamera } from './camera';

/** Scrolling, panning and zooming by wheel, trackpad or two fingers. */

const ZOOM_SPEED = 0.0022;
/** Browsers report pinching on a trackpad as small wheel steps with Ctrl. */
const PINCH_SPEED = 0.01;
const PINCH_STEP = 40;
const LINE = 16;
/** Largest wheel step that counts; some mice send hundreds. */
const MOST = 160;

function zoomAt(camera: FlameCamera, clientX: number, factor: number): void {
  const { left = 0, width = 1 } = camera.scroller.current?.getBoundingClientRect() ?? {};
  const [from, to] = camera.span.peek();
  camera.jump(zoomSpan(from, to, factor, from + ((clientX - left) / Math.max(1, width)) * (to - from)));
}

/** Ctrl or ⌘ zooms, Shift and sideways wheels pan; a plain wheel is left to the browser, which scrolls. */
function onWheel(camera: FlameCamera, event: WheelEvent, onPlain: () => void): void {
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
  const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
  if (event.ctrlKey || event.metaKey) {
    const by = Math.max(-MOST, Math.min(MOST, dy));
    zoomAt(camera, event.clientX, Math.exp(-by * (Math.abs(dy) < PINCH_STEP && event.ctrlKey ? PINCH_SPEED : ZOOM_SPEED)));
  } else if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
    const [from, to] = camera.span.peek();
    const by = Math.abs(dx) > Math.abs(dy) ? dx : dy;
    camera.pan((by / Math.max(1, camera.size.peek().width)) * (to - from));
  } else {
    onPlain();
    return;
  }
  event.preventDefault();
}

/** `onPlain`: the wheel was turned without a modifier key. */
export function useWheel(camera: FlameCamera, onPlain: () => void): void {
  const plain = useRef(onPlain);
  plain.current = onPlain;
  useEffect(() => {
    const element = camera.scroller.current;
    if (element === null) return undefined;
    const wheel = (event: WheelEvent): void => {
      onWheel(camera, event, () => {
        plain.current();
      });
    };
    element.addEventListener('wheel', wheel, { passive: false });
    const stopPinch = pinch(element, camera);
    return () => {
      element.removeEventListener('wheel', wheel);
      stopPinch();
    };
  }, []);
}

/** Two fingers on a touch screen: their distance zooms about the point between them. */
function pinch(element: HTMLElement, camera: FlameCamera): () => void {
  const fingers = new Map<number, { readonly x: number; readonly y: number }>();
  const stop = new AbortController();
  const listen = (name: 'pointerdown' | 'pointermove' | 'pointerup' | 'pointercancel', act: (event: PointerEvent) => void): void => {
    element.addEventListener(name, act, { signal: stop.signal, capture: true });
  };
  const apart = (): number => {
    const [a, b] = [...fingers.values()];
    return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
  };
  const lift = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
  };
  listen('pointerdown', (event) => {
    if (event.pointerType === 'touch') fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  listen('pointermove', (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = apart();
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const now = apart();
    if (fingers.size !== 2 || before === 0 || now === 0) return;
    const xs = [...fingers.values()].map(({ x }) => x);
    zoomAt(camera, xs.reduce((sum, x) => sum + x, 0) / xs.length, now / before);
    // One finger alone would drag.
    event.stopImmediatePropagation();
  });
  listen('pointerup', lift);
  listen('pointercancel', lift);
  return () => {
    stop.abort();
  };
}

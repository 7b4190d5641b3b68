import { get, type FlameLayout } from '../logic/flame-layout';
import { stepFrom, type Step } from '../logic/hit-test';
import { moveSpan, spanShowing, zoomSpan } from '../logic/pan-zoom';
import { scrollToShow } from '../logic/window';
import { FLAME_PAD, FLAME_ROW } from '../paint/flame';
import type { FlameCamera } from './flame-camera';
import { EVERYTHING } from './flame-camera';
import type { FlameCanvasProps } from './flame-canvas';

/** What wheel and keys do to the flame graph. */

const WHEEL_SPEED = 0.0022;
/** Pinching comes as small steps of a wheel with Ctrl. */
const PINCH_SPEED = 0.01;
const LINE = 16;
/** No step of a wheel counts more: some mice send hundreds. */
const MOST = 160;
const KEY_ZOOM = 1.6;
const KEY_PAN = 0.2;
const TWICE_MS = 450;

/** Zooms at the pointer; sideways, or with Shift, pans; with Alt scrolls. */
export function wheelMoves(element: HTMLElement, camera: FlameCamera): (event: WheelEvent) => void {
  return (event) => {
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
    const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
    const [from, to] = camera.span.peek();
    const { left, width } = element.getBoundingClientRect();
    if (event.altKey) element.scrollTop += dy || dx;
    else if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
      const by = Math.abs(dx) > Math.abs(dy) ? dx : dy;
      camera.jump(moveSpan(from, to, (by / Math.max(1, width)) * (to - from)));
    } else {
      const by = Math.max(-MOST, Math.min(MOST, dy)) * (event.ctrlKey ? PINCH_SPEED : WHEEL_SPEED);
      const at = from + ((event.clientX - left) / Math.max(1, width)) * (to - from);
      camera.jump(zoomSpan(from, to, Math.exp(-by), at));
    }
  };
}

/** Brings a box into the window, wide enough to be seen. */
export function leadTo(
  camera: FlameCamera,
  element: HTMLElement | null,
  layout: FlameLayout,
  box: number,
  glides: boolean,
  narrowest = 0,
): void {
  if (element !== null)
    element.scrollTop = scrollToShow(get(layout.depth, box), element.scrollTop, element.clientHeight - 2 * FLAME_PAD, FLAME_ROW);
  const span = camera.span.peek();
  const next = spanShowing(span[0], span[1], get(layout.x0, box), get(layout.x1, box), narrowest / Math.max(1, element?.clientWidth ?? 1));
  if (next[0] === span[0] && next[1] === span[1]) return;
  if (glides) camera.glide(next);
  else camera.jump(next);
}

const ARROWS: Readonly<Record<string, Step>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };
let lastEscape = 0;

/** The keys of a focused flame graph; others go on to the page. */
export function flameKeys(props: FlameCanvasProps, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!pressed(props, event)) return;
  event.preventDefault();
  event.stopPropagation();
}

function pressed({ camera, layout, cursor, scroller, ...props }: FlameCanvasProps, event: KeyboardEvent): boolean {
  const { key, timeStamp } = event;
  const [from, to] = camera.span.peek();
  const step = ARROWS[key];
  const element = scroller.current;
  if (step !== undefined && event.shiftKey) {
    const by = (to - from) * KEY_PAN;
    if (step === 'left' || step === 'right') camera.glide(moveSpan(from, to, step === 'left' ? -by : by));
    else if (element !== null) element.scrollTop += (step === 'up' ? -1 : 1) * 3 * FLAME_ROW;
    return true;
  }
  if (step !== undefined) {
    cursor.value = cursor.peek() < 0 ? 0 : stepFrom(layout, cursor.peek(), step);
    leadTo(camera, element, layout, cursor.peek(), false);
    props.onCursor(cursor.peek());
    return true;
  }
  switch (key) {
    case 'Enter':
      if (cursor.peek() < 0) return false;
      props.onZoom(cursor.peek());
      return true;
    case 'Escape': {
      const twice = timeStamp - lastEscape < TWICE_MS;
      lastEscape = timeStamp;
      return props.onBack(twice);
    }
    case '0':
      props.onBack(true);
      return true;
    case '+':
    case '=':
      camera.glide(zoomSpan(from, to, KEY_ZOOM, middleOf(layout, cursor.peek(), from, to)));
      return true;
    case '-':
      camera.glide(zoomSpan(from, to, 1 / KEY_ZOOM, (from + to) / 2));
      return true;
    case 'PageDown':
    case 'PageUp':
      if (element !== null) element.scrollTop += (key === 'PageUp' ? -1 : 1) * (element.clientHeight - 2 * FLAME_ROW);
      return true;
    case 'Home':
    case 'End':
      if (element !== null) element.scrollTop = key === 'Home' ? 0 : element.scrollHeight;
      return true;
    case 'm': {
      const at = cursor.peek();
      if (at <= 0 || element === null) return false;
      const rect = element.getBoundingClientRect();
      const x = ((get(layout.x0, at) - from) / (to - from)) * rect.width;
      props.onMenu(at, rect.left + Math.max(0, x) + 12, rect.top + (get(layout.depth, at) + 1) * FLAME_ROW - element.scrollTop);
      return true;
    }
    default:
      return false;
  }
}

/** Zooming by key keeps the cursor's box in the window. */
function middleOf(layout: FlameLayout, box: number, from: number, to: number): number {
  if (box < 0) return (from + to) / 2;
  const middle = (Math.max(from, get(layout.x0, box)) + Math.min(to, get(layout.x1, box))) / 2;
  return middle > from && middle < to ? middle : (from + to) / 2;
}

/** Whether the window shows less than everything. */
export function isClose(camera: FlameCamera): boolean {
  const [from, to] = camera.span.value;
  return from > EVERYTHING[0] || to < EVERYTHING[1];
}

import type { Signal } from '@preact/signals';
import { numberAt } from '../../logic/number-at';
import type { FlameLayout } from '../../logic/flame/layout';
import { stepFrom, type Step } from '../../logic/flame/hit-test';
import { moveSpan, zoomSpan } from '../../logic/pan-zoom';
import { FLAME_ROW } from '../../paint/flame/scene';
import { scrollToBox, type FlameCamera } from './camera';

/** State and actions for keys of the flame graph. */
export interface FlameKeys {
  readonly layout: FlameLayout;
  readonly camera: FlameCamera;
  readonly cursor: Signal<number>;
  readonly onZoom: (box: number) => void;
  /** Zooms out by one step, or completely; returns false if nothing is zoomed. */
  readonly onBack: (all: boolean) => boolean;
  readonly onCursor: (box: number) => void;
  readonly onMenu: (box: number, x: number, y: number) => void;
  /** Callers and callees of the function at the cursor, or of the selected one. */
  readonly onAround: () => boolean;
}

const KEY_ZOOM = 1.6;
const KEY_PAN = 0.2;
const TWICE_MS = 450;

const ARROWS: Readonly<Record<string, Step>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };
let lastEscape = 0;

/** Handles the keys of a focused flame graph; other keys are left to the page. */
export function flameKeys(keys: FlameKeys, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (!pressed(keys, event)) return;
  event.preventDefault();
  event.stopPropagation();
}

function pressed({ camera, layout, cursor, ...on }: FlameKeys, event: KeyboardEvent): boolean {
  const { key, timeStamp } = event;
  const [from, to] = camera.span.peek();
  const { width, height } = camera.size.peek();
  const step = ARROWS[key];
  if (step !== undefined && event.shiftKey) {
    const by = (to - from) * KEY_PAN;
    if (step === 'left' || step === 'right') camera.glide(moveSpan(from, to, step === 'left' ? -by : by));
    else camera.scrollTo(camera.top.peek() + (step === 'up' ? -1 : 1) * 3 * FLAME_ROW);
    return true;
  }
  if (step !== undefined) {
    cursor.value = cursor.peek() < 0 ? layout.root : stepFrom(layout, cursor.peek(), step);
    scrollToBox(camera, layout, cursor.peek(), false);
    on.onCursor(cursor.peek());
    return true;
  }
  switch (key) {
    case 'Enter':
      if (cursor.peek() < 0) return false;
      on.onZoom(cursor.peek());
      return true;
    case 'Escape': {
      const twice = timeStamp - lastEscape < TWICE_MS;
      lastEscape = timeStamp;
      return on.onBack(twice);
    }
    case '0':
      on.onBack(true);
      return true;
    case 's':
      return on.onAround();
    case '+':
    case '=':
      camera.glide(zoomSpan(from, to, KEY_ZOOM, middleOf(layout, cursor.peek(), from, to)));
      return true;
    case '-':
      camera.glide(zoomSpan(from, to, 1 / KEY_ZOOM, (from + to) / 2));
      return true;
    case 'PageDown':
    case 'PageUp':
      camera.scrollTo(camera.top.peek() + (key === 'PageUp' ? -1 : 1) * (height - 2 * FLAME_ROW));
      return true;
    case 'Home':
    case 'End':
      camera.scrollTo(key === 'Home' ? 0 : layout.nRows * FLAME_ROW);
      return true;
    case 'm': {
      const at = cursor.peek();
      const rect = camera.scroller.current?.getBoundingClientRect();
      if (at <= 0 || rect === undefined) return false;
      const x = ((numberAt(layout.x0, at) - from) / (to - from)) * width;
      on.onMenu(at, rect.left + Math.max(0, x) + 12, rect.top + (numberAt(layout.row, at) + 1) * FLAME_ROW - camera.top.peek());
      return true;
    }
    default:
      return false;
  }
}

/** Zooming by key keeps the cursor's box in the window. */
function middleOf(layout: FlameLayout, box: number, from: number, to: number): number {
  if (box < 0) return (from + to) / 2;
  const middle = (Math.max(from, numberAt(layout.x0, box)) + Math.min(to, numberAt(layout.x1, box))) / 2;
  return middle > from && middle < to ? middle : (from + to) / 2;
}

import { useSignal, type Signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { numberAt } from '../../logic/number-at';
import type { FlameLayout, FlameView } from '../../logic/flame/layout';
import { moveSpan, spanShowing } from '../../logic/pan-zoom';
import { scrollToShow } from '../../logic/table/row-window';
import { FLAME_PAD, FLAME_ROW } from '../../paint/flame/scene';

export type Span = readonly [number, number];
export const EVERYTHING: Span = [0, 1];

/** The visible part of the flame graph, and functions that move it. */
export interface FlameCamera {
  /** Left and right edge in the layout's 0…1; outside of that only while it moves. */
  readonly span: Signal<Span>;
  /** Pixels above the visible part. */
  readonly top: Signal<number>;
  /** Size of the visible part, in pixels. */
  readonly size: Signal<{ readonly width: number; readonly height: number }>;
  /** The element that scrolls. */
  readonly scroller: { current: HTMLDivElement | null };
  /** Shows a span at once. */
  readonly jump: (span: Span) => void;
  /** Animates to a span, from the current one or from `from`. */
  readonly glide: (to: Span, from?: Span) => void;
  readonly scrollTo: (top: number) => void;
  /** Moves sideways by a share of the whole width. */
  readonly pan: (by: number) => void;
}

const GLIDE_MS = 150;

/** `begin` announces an animation; `calm` returns whether the user prefers reduced motion. */
export function useFlameCamera(begin: () => () => void, calm: () => boolean): FlameCamera {
  const span = useSignal<Span>(EVERYTHING);
  const top = useSignal(0);
  const size = useSignal({ width: 0, height: 0 });
  const scroller = useRef<HTMLDivElement>(null);
  const stop = useRef<() => void>(() => undefined);
  return useMemo(() => {
    const jump = (to: Span): void => {
      stop.current();
      span.value = to;
    };
    const glide = (to: Span, from: Span = span.peek()): void => {
      if (calm() || (from[0] === to[0] && from[1] === to[1])) {
        jump(to);
        return;
      }
      stop.current();
      const end = begin();
      let [frame, first] = [0, -1];
      const step = (now: number): void => {
        if (first < 0) first = now;
        const t = Math.min(1, (now - first) / GLIDE_MS);
        // Fast, then slow.
        const k = 1 - (1 - t) ** 3;
        span.value = t < 1 ? [from[0] + (to[0] - from[0]) * k, from[1] + (to[1] - from[1]) * k] : to;
        if (t < 1) frame = requestAnimationFrame(step);
        else end();
      };
      span.value = from;
      frame = requestAnimationFrame(step);
      stop.current = () => {
        cancelAnimationFrame(frame);
        end();
      };
    };
    const scrollTo = (to: number): void => {
      if (scroller.current === null) return;
      scroller.current.scrollTop = to;
      top.value = scroller.current.scrollTop;
    };
    const pan = (by: number): void => {
      const [from, to] = span.peek();
      jump(moveSpan(from, to, by));
    };
    return { span, top, size, scroller, jump, glide, scrollTo, pan };
  }, []);
}

/** Whether the window shows less than the whole width. */
export function isClose(camera: FlameCamera): boolean {
  const [from, to] = camera.span.value;
  return from > EVERYTHING[0] || to < EVERYTHING[1];
}

/** Height of all rows, in pixels. */
export function contentHeight(layout: FlameLayout): number {
  return layout.nRows * FLAME_ROW + 2 * FLAME_PAD;
}

/** Part of the layout in the window. */
export function viewOf({ span, size, top }: FlameCamera): FlameView {
  const [from, to] = span.value;
  const { width, height } = size.value;
  const first = top.value - FLAME_PAD;
  return { from, to, width, firstRow: Math.floor(first / FLAME_ROW), lastRow: Math.ceil((first + height) / FLAME_ROW) };
}

/** Whether a box is in the window and at least `narrowest` pixels wide. */
export function isSeen(camera: FlameCamera, layout: FlameLayout, box: number, narrowest: number): boolean {
  const [from, to] = camera.span.peek();
  const { width, height } = camera.size.peek();
  const seen = ((Math.min(to, numberAt(layout.x1, box)) - Math.max(from, numberAt(layout.x0, box))) / (to - from)) * width;
  const y = numberAt(layout.row, box) * FLAME_ROW - camera.top.peek();
  return seen >= narrowest && y >= 0 && y + FLAME_ROW <= height;
}

/** Brings a box into the window, at least `narrowest` pixels wide. */
export function scrollToBox(camera: FlameCamera, layout: FlameLayout, box: number, glides: boolean, narrowest = 0): void {
  const { width, height } = camera.size.peek();
  camera.scrollTo(scrollToShow(numberAt(layout.row, box), camera.top.peek(), height - 2 * FLAME_PAD, FLAME_ROW));
  const span = camera.span.peek();
  const next = spanShowing(span[0], span[1], numberAt(layout.x0, box), numberAt(layout.x1, box), narrowest / Math.max(1, width));
  if (next[0] === span[0] && next[1] === span[1]) return;
  if (glides) camera.glide(next);
  else camera.jump(next);
}

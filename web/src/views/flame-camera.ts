import { useSignal, type Signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';

export type Span = readonly [number, number];
export const EVERYTHING: Span = [0, 1];

/** What part of the flame graph is in the window, and how it gets there. */
export interface FlameCamera {
  /** Left and right edge in the layout's 0…1; outside of that only while it moves. */
  readonly span: Signal<Span>;
  /** Pixels that boxes hang too low, on their way up to where they belong. */
  readonly drop: Signal<number>;
  /** There at once. */
  jump(span: Span): void;
  /** There in a moment, from where it is or from `from`. */
  glide(to: Span, from?: Span, drop?: number): void;
}

const GLIDE_MS = 170;

/** `begin` tells that something is moving. */
export function useFlameCamera(begin: () => () => void, calm: () => boolean): FlameCamera {
  const span = useSignal<Span>(EVERYTHING);
  const drop = useSignal(0);
  const stop = useRef<() => void>(() => undefined);
  return useMemo(() => {
    const jump = (to: Span): void => {
      stop.current();
      drop.value = 0;
      span.value = to;
    };
    const glide = (to: Span, from: Span = span.peek(), dropFrom = 0): void => {
      if (calm()) {
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
        span.value = [from[0] + (to[0] - from[0]) * k, from[1] + (to[1] - from[1]) * k];
        drop.value = dropFrom * (1 - k);
        if (t < 1) frame = requestAnimationFrame(step);
        else end();
      };
      span.value = from;
      drop.value = dropFrom;
      frame = requestAnimationFrame(step);
      stop.current = () => {
        cancelAnimationFrame(frame);
        end();
      };
    };
    return { span, drop, jump, glide };
  }, []);
}

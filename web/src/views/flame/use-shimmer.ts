import { useSignal, useSignalEffect, type ReadonlySignal } from '@preact/signals';

const PERIOD_MS = 900;
/** Detail that loads faster is not announced. */
const PATIENCE_MS = 120;

/** Strength of the shimmer on loading boxes, 0 … 1; constant with reduced motion, 0 if nothing loads. */
export function useShimmer(loading: ReadonlySignal<boolean>, calm: () => boolean): ReadonlySignal<number> {
  const strength = useSignal(0);
  useSignalEffect(() => {
    if (!loading.value) {
      strength.value = 0;
      return undefined;
    }
    let frame = 0;
    const step = (now: number): void => {
      strength.value = 0.5 - 0.4 * Math.cos((now / PERIOD_MS) * 2 * Math.PI);
      frame = requestAnimationFrame(step);
    };
    const timer = setTimeout(() => {
      if (calm()) strength.value = 0.5;
      else frame = requestAnimationFrame(step);
    }, PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  });
  return strength;
}

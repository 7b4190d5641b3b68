import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { RefObject } from 'preact';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels that an element fills, as they change. */
export function useSize(box: RefObject<HTMLElement | null>, first: Size): ReadonlySignal<Size> {
  const size = useSignal(first);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const read = (): void => {
      const { clientWidth: width, clientHeight: height } = element;
      if (width !== size.peek().width || height !== size.peek().height) size.value = { width, height };
    };
    read();
    const resized = new ResizeObserver(read);
    resized.observe(element);
    return () => {
      resized.disconnect();
    };
  }, []);
  return size;
}

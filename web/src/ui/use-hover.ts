import type { Signal } from '@preact/signals';

/** What is under the pointer, and where that is. */
export interface Hover {
  readonly at: number;
  readonly x: number;
  readonly y: number;
}

/** Handlers that follow the pointer: `under` says what is there, a negative number is nothing. While something is dragged nothing is. */
export function hoverHandlers(hover: Signal<Hover | undefined>, under: (event: PointerEvent) => number) {
  return {
    onPointerMove: (event: PointerEvent): void => {
      const at = event.buttons === 0 ? under(event) : -1;
      hover.value = at < 0 ? undefined : { at, x: event.clientX, y: event.clientY };
    },
    onPointerLeave: (): void => {
      hover.value = undefined;
    },
  };
}

import type { Signal } from '@preact/signals';

/** The item under the pointer, and the pointer's position. */
export interface Hover {
  readonly at: number;
  readonly x: number;
  readonly y: number;
}

/** Handlers that follow the pointer: `under` returns what is there, negative for nothing. Nothing is hovered during a drag. */
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

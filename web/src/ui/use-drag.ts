interface Drag {
  readonly onMove: (dx: number, dy: number) => void;
  /** Pressed and let go at the same place. */
  readonly onClick?: (event: PointerEvent) => void;
}

const CLICK_SLACK = 4;

/** A handler for pointerdown that follows the pointer until it is let go. */
export function useDrag({ onMove, onClick }: Drag): (event: PointerEvent) => void {
  return (event) => {
    const element = event.currentTarget;
    if (event.button !== 0 || !(element instanceof Element)) return;
    let [x, y, far] = [event.clientX, event.clientY, false];
    const move = (e: PointerEvent): void => {
      const [dx, dy] = [e.clientX - x, e.clientY - y];
      if (!far && Math.hypot(dx, dy) < CLICK_SLACK) return;
      if (!far) element.setPointerCapture(event.pointerId);
      far = true;
      [x, y] = [e.clientX, e.clientY];
      onMove(dx, dy);
    };
    const stop = new AbortController();
    const up = (e: PointerEvent): void => {
      stop.abort();
      if (!far && e.type === 'pointerup') onClick?.(e);
    };
    element.addEventListener(
      'pointermove',
      (e) => {
        if (e instanceof PointerEvent) move(e);
      },
      { signal: stop.signal },
    );
    element.addEventListener(
      'pointerup',
      (e) => {
        if (e instanceof PointerEvent) up(e);
      },
      { signal: stop.signal },
    );
    element.addEventListener(
      'pointercancel',
      () => {
        stop.abort();
      },
      { signal: stop.signal },
    );
  };
}

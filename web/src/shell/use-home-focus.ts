import { useEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

/** Element that gets a view's keys: its table, its drawing, or the first function to walk to. */
const HOME = '[data-home], .walk';

/**
 * Moves the focus into the view that was opened, since the focused element went with the last view. A user who points, or
 * whose focus is still in the page, keeps the focus.
 */
export function useHomeFocus(host: RefObject<HTMLElement | null>, view: string, isThere: boolean): void {
  const first = useRef(view);
  useEffect(() => {
    const element = host.current;
    if (first.current === view || !isThere || element === null) return;
    first.current = '';
    const { activeElement, body } = element.ownerDocument;
    const home = activeElement === null || activeElement === body ? element.querySelector(HOME) : null;
    if (home instanceof HTMLElement) home.focus({ preventScroll: true });
  }, [view, isThere]);
}

import { useEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';

/** Where a view's own keys work: its table, its drawing, the first function to walk to. */
const HOME = '[data-home], .walk';

/**
 * Keys go to the view that was opened: what had them before is gone with the last one. Who points, or
 * stands on something that is still there, stays where they are.
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

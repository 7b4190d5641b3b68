export type Align = 'start' | 'end';

/** Distance of a panel from its button and from the edges of the window, in pixels. */
const GAP = 6;
const MARGIN = 8;

/** Moves a panel below its button, inside the window. Returns false if the button is not in sight. */
function placeBelow(panel: HTMLElement, button: HTMLElement, align: Align): boolean {
  const { clientWidth, clientHeight } = panel.ownerDocument.documentElement;
  const { left, right, top, bottom, width } = button.getBoundingClientRect();
  if (width === 0 || bottom < 0 || top > clientHeight) return false;
  const wanted = align === 'start' ? left : right - panel.offsetWidth;
  panel.style.left = `${Math.max(MARGIN, Math.min(wanted, clientWidth - panel.offsetWidth - MARGIN))}px`;
  panel.style.top = `${bottom + GAP}px`;
  panel.style.setProperty('--room', `${Math.max(0, clientHeight - bottom - GAP - MARGIN)}px`);
  return true;
}

/** Keeps an open panel below its button until the returned function is called; hides it when the button is out of sight. */
export function followButton(panel: HTMLElement, button: HTMLElement, align: Align): () => void {
  const place = (): void => {
    if (panel.matches(':popover-open') && !placeBelow(panel, button, align)) panel.hidePopover();
  };
  const stop = new AbortController();
  const resized = new ResizeObserver(place);
  resized.observe(panel);
  const document = panel.ownerDocument;
  document.addEventListener('scroll', place, { capture: true, passive: true, signal: stop.signal });
  document.defaultView?.addEventListener('resize', place, { signal: stop.signal });
  place();
  return () => {
    stop.abort();
    resized.disconnect();
  };
}

/** Moves a panel to a point, inside the window. */
export function placeAt(panel: HTMLElement, x: number, y: number): void {
  const { clientWidth, clientHeight } = panel.ownerDocument.documentElement;
  panel.style.left = `${Math.max(MARGIN, Math.min(x, clientWidth - panel.offsetWidth - MARGIN))}px`;
  panel.style.top = `${Math.max(MARGIN, Math.min(y, clientHeight - panel.offsetHeight - MARGIN))}px`;
}

/** Focuses `to` if the focus is in a panel that closes, or nowhere, because the focused button became disabled. */
export function returnFocus(panel: HTMLElement, to: HTMLElement | SVGElement | null): void {
  const { activeElement, body } = panel.ownerDocument;
  if (activeElement === body || panel.contains(activeElement)) to?.focus({ preventScroll: true });
}

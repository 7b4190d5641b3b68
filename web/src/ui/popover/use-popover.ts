import { useEffect, useRef } from 'preact/hooks';

/**
 * A button and its panel, both inside `box`: the first field gets the focus, Escape and a click
 * elsewhere close, and Escape returns the focus to the button.
 */
export function usePopover(open: boolean, close: () => void) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!open || element === null) return undefined;
    element.querySelector<HTMLElement>(':is(.popover, .opened) :is(input:not([hidden]), select)')?.focus();
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !element.contains(event.target)) close();
    };
    // A button that became disabled has lost the focus: Escape then reaches the page alone.
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.target !== element.ownerDocument.body) return;
      event.preventDefault();
      event.stopPropagation();
      closeToButton();
    };
    element.ownerDocument.addEventListener('pointerdown', outside);
    element.ownerDocument.addEventListener('keydown', escape, true);
    return () => {
      element.ownerDocument.removeEventListener('pointerdown', outside);
      element.ownerDocument.removeEventListener('keydown', escape, true);
    };
  }, [open]);
  const closeToButton = (): void => {
    close();
    box.current?.querySelector('button')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !open) return;
    event.preventDefault();
    event.stopPropagation();
    closeToButton();
  };
  return { box, onKeyDown, closeToButton };
}

import { useEffect, useRef } from 'preact/hooks';

/**
 * A button and what it opens, together in `box`: the first field has the focus, Escape and a click
 * elsewhere close, and Escape returns the focus to the button.
 */
export function usePopover(open: boolean, close: () => void) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!open || element === null) return undefined;
    element.querySelector<HTMLElement>('.popover :is(input:not([hidden]), select)')?.focus();
    const outside = (event: Event): void => {
      if (event.target instanceof Node && !element.contains(event.target)) close();
    };
    element.ownerDocument.addEventListener('pointerdown', outside);
    return () => {
      element.ownerDocument.removeEventListener('pointerdown', outside);
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

import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { followButton, returnFocus, type Align } from './position';

interface Props {
  readonly name: string;
  readonly text: ComponentChildren;
  readonly title?: string | undefined;
  /** Class of the element around button and panel. */
  readonly class?: string;
  readonly buttonClass?: string;
  readonly haspopup?: 'menu' | 'dialog';
  /** Edge of the button that the panel is aligned with. */
  readonly align?: Align;
  /** Opens the panel from elsewhere. */
  readonly open?: Signal<boolean>;
  /** Content of the panel; rendered while it is open. */
  readonly children: (close: () => void) => ComponentChildren;
}

const FIRST_FIELD = ':is(input:not([hidden]), select)';

/** A button that opens a panel below itself: a native popover, which gets the focus in its first field. */
export function PopoverButton({ name, text, title, buttonClass = '', haspopup, align = 'end', open: given, children, ...props }: Props) {
  const id = useId();
  const own = useSignal(false);
  const open = given ?? own;
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const isOpen = open.value;
  /** The browser is opening the panel, after a click on the button. */
  const isOpening = useRef(false);
  useLayoutEffect(() => {
    const element = panel.current;
    if (!isOpen || element === null || button.current === null) return undefined;
    if (!isOpening.current && !element.matches(':popover-open')) element.showPopover();
    return followButton(element, button.current, align);
  }, [isOpen]);
  const close = (): void => {
    panel.current?.hidePopover();
  };
  return (
    <div class={props.class}>
      <button
        ref={button}
        type="button"
        class={buttonClass}
        name={name}
        title={title}
        aria-haspopup={haspopup}
        aria-expanded={isOpen}
        popovertarget={id}
      >
        {text}
      </button>
      <div
        ref={panel}
        id={id}
        class="popover"
        popover="auto"
        onBeforeToggle={(e) => {
          isOpening.current = e.newState === 'open';
          // Content is rendered before the panel is shown, and removed when it closes. The focus returns here and not by the
          // browser, which would look for it in the content just then removed.
          if (!isOpening.current) returnFocus(e.currentTarget, button.current);
          open.value = isOpening.current;
        }}
        onToggle={(e) => {
          isOpening.current = false;
          if (open.value) e.currentTarget.querySelector<HTMLElement>(FIRST_FIELD)?.focus({ preventScroll: true });
        }}
      >
        {isOpen && children(close)}
      </div>
    </div>
  );
}

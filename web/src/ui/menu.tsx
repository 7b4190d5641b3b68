import { useLayoutEffect, useRef } from 'preact/hooks';
import { placeAt, returnFocus } from './popover/position';

export interface MenuItem<A extends string> {
  readonly action: A;
  readonly label: string;
  readonly hint: string;
  /** Draws a line above. */
  readonly apart?: boolean;
}

interface Props<A extends string> {
  readonly label: string;
  readonly items: readonly MenuItem<A>[];
  readonly onAct: (action: A) => void;
  /** Closes the popover around the menu; the focus returns. */
  readonly onClose: () => void;
}

/** Items of a menu, in a popover: arrows move, Enter acts, Tab closes. */
export function Menu<A extends string>({ label, items, onAct, onClose }: Props<A>) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    box.current?.querySelector('button')?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = [...(box.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((b) => b === b.ownerDocument.activeElement);
    const move: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const to = move[event.key];
    if (event.key === 'Tab') onClose();
    else if (to !== undefined) buttons.at(to % buttons.length)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="menu"
      role="menu"
      aria-label={`Actions for ${label}`}
      ref={box}
      onKeyDown={onKeyDown}
      onContextMenu={(e) => {
        e.stopPropagation();
        e.preventDefault();
      }}
    >
      <div class="menu-title mono" title={label}>
        <bdi>{label}</bdi>
      </div>
      {items.map((item) => (
        <button
          key={item.action}
          type="button"
          role="menuitem"
          class={item.apart === true ? 'menu-item apart' : 'menu-item'}
          data-action={item.action}
          onClick={() => {
            onClose();
            onAct(item.action);
          }}
        >
          <span>{item.label}</span>
          <span class="menu-hint">{item.hint}</span>
        </button>
      ))}
    </div>
  );
}

interface AtProps<A extends string> extends Props<A> {
  readonly x: number;
  readonly y: number;
}

/** A menu at a point of the window, as a native popover. */
export function ContextMenu<A extends string>({ x, y, onClose, ...menu }: AtProps<A>) {
  const panel = useRef<HTMLDivElement>(null);
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const element = panel.current;
    if (element === null) return;
    if (!element.matches(':popover-open')) {
      before.current = element.ownerDocument.activeElement;
      element.showPopover();
    }
    placeAt(element, x, y);
    element.querySelector('button')?.focus();
  }, [x, y]);
  return (
    <div
      ref={panel}
      class="popover"
      popover="auto"
      onBeforeToggle={(e) => {
        if (e.newState === 'open') return;
        const { current } = before;
        returnFocus(e.currentTarget, current instanceof HTMLElement || current instanceof SVGElement ? current : null);
        onClose();
      }}
    >
      <Menu {...menu} onClose={() => panel.current?.hidePopover()} />
    </div>
  );
}

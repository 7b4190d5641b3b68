import { useLayoutEffect, useRef } from 'preact/hooks';

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
  readonly x: number;
  readonly y: number;
  readonly onAct: (action: A) => void;
  readonly onClose: () => void;
}

const MARGIN = 8;

/** A menu at a point, kept on the screen; arrows move, Enter acts, Esc and a click elsewhere close. */
export function Menu<A extends string>({ label, items, x, y, onAct, onClose }: Props<A>) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const before = element.ownerDocument.activeElement;
    const { clientWidth, clientHeight } = element.ownerDocument.documentElement;
    const rect = element.getBoundingClientRect();
    element.style.left = `${Math.max(MARGIN, Math.min(x, clientWidth - rect.width - MARGIN))}px`;
    element.style.top = `${Math.max(MARGIN, Math.min(y, clientHeight - rect.height - MARGIN))}px`;
    element.querySelector('button')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [x, y]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const buttons = [...(box.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((b) => b === b.ownerDocument.activeElement);
    const move: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const to = move[event.key];
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (to !== undefined) buttons.at(to % buttons.length)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      class="menu-shade"
      onPointerDown={(e) => {
        if (e.target === e.currentTarget) onClose();
      }}
      onContextMenu={(e) => {
        e.preventDefault();
        onClose();
      }}
    >
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
              onAct(item.action);
            }}
          >
            <span>{item.label}</span>
            <span class="menu-hint">{item.hint}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

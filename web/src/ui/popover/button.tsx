import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { usePopover } from './use-popover';

interface Props {
  readonly name: string;
  readonly text: string;
  readonly title?: string;
  /** Content of the panel below the button; rendered when it opens. */
  readonly children: () => ComponentChildren;
}

/** A quiet button that opens a panel below itself. */
export function PopoverButton({ name, text, title, children }: Props) {
  const [open, setOpen] = useState(false);
  const { box, onKeyDown } = usePopover(open, () => {
    setOpen(false);
  });
  return (
    <div class="views-menu" ref={box} onKeyDown={onKeyDown}>
      <button
        type="button"
        class="quiet"
        name={name}
        title={title}
        aria-expanded={open}
        onClick={() => {
          setOpen(!open);
        }}
      >
        {text}
      </button>
      {open && children()}
    </div>
  );
}

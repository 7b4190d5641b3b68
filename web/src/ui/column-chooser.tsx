import { useEffect, useRef, useState } from 'preact/hooks';

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
}

interface Props {
  readonly columns: readonly Choice[];
  /** Keys of the columns that were chosen; empty: those that fit. */
  readonly chosen: readonly string[];
  /** Keys of the columns that a choice begins with. */
  readonly usual: readonly string[];
  /** Keys in the order of the table; empty: those that fit. */
  readonly onChoose: (keys: readonly string[]) => void;
}

/** A button with a list of columns to tick. */
export function ColumnChooser({ columns, chosen, usual, onChoose }: Props) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const on = new Set(chosen.length > 0 ? chosen : usual);
  useEffect(() => {
    if (!open) return undefined;
    const page = box.current?.ownerDocument;
    const close = (event: PointerEvent): void => {
      if (event.target instanceof Node && box.current?.contains(event.target) !== true) setOpen(false);
    };
    page?.addEventListener('pointerdown', close);
    box.current?.querySelector('input')?.focus();
    return () => {
      page?.removeEventListener('pointerdown', close);
    };
  }, [open]);
  const close = (): void => {
    setOpen(false);
    box.current?.querySelector('button')?.focus();
  };
  return (
    <div
      class="chooser"
      ref={box}
      onKeyDown={(e) => {
        if (e.key !== 'Escape' || !open) return;
        e.preventDefault();
        e.stopPropagation();
        close();
      }}
    >
      <button
        type="button"
        class="small"
        aria-expanded={open}
        aria-haspopup="true"
        name="columns"
        onClick={() => {
          setOpen(!open);
        }}
      >
        Columns
      </button>
      {open && (
        <fieldset class="chooser-list">
          <legend class="sr">Columns</legend>
          {columns.map((c) => (
            <label key={c.key} class="chooser-item" title={c.hint}>
              <input
                type="checkbox"
                name={`column-${c.key}`}
                checked={on.has(c.key)}
                disabled={on.size === 1 && on.has(c.key)}
                onChange={(e) => {
                  const wanted = e.currentTarget.checked;
                  onChoose(columns.flatMap(({ key }) => ((key === c.key ? wanted : on.has(key)) ? [key] : [])));
                }}
              />
              {c.label}
            </label>
          ))}
          <button
            type="button"
            class="link"
            disabled={chosen.length === 0}
            onClick={() => {
              onChoose([]);
              close();
            }}
          >
            Those that fit
          </button>
        </fieldset>
      )}
    </div>
  );
}

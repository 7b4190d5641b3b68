import { PopoverButton } from '../popover/button';

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
}

interface Props {
  readonly columns: readonly Choice[];
  /** Keys of the columns that were chosen; empty: as many as fit. */
  readonly chosen: readonly string[];
  /** Keys of the columns that are drawn now. */
  readonly drawn: readonly string[];
  /** Keys in the order of the table; empty: as many as fit. */
  readonly onChoose: (keys: readonly string[]) => void;
}

/** A button with a list of columns to tick. */
export function ColumnChooser({ columns, chosen, drawn, onChoose }: Props) {
  const on = new Set(drawn);
  return (
    <PopoverButton class="chooser" buttonClass="small" name="columns" text="Columns">
      {(close) => (
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
            Reset columns
          </button>
        </fieldset>
      )}
    </PopoverButton>
  );
}

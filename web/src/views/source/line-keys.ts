import type { SourceRow } from '../../logic/source/lines';

interface Options {
  readonly rows: readonly SourceRow[];
  /** Index of the selected row. */
  readonly at: number;
  /** Rows on the screen. */
  readonly page: number;
  readonly isOpen: boolean;
  /** Whether the selected line calls something. */
  readonly hasSteps: boolean;
  /** Selects a row that is a line. */
  readonly onRow: (row: SourceRow) => void;
  readonly onToggle: () => void;
}

/** Keys of the source lines: arrows, Page Up and Down, Home and End select, Enter, left and right open and close calls. */
export function lineKeys({ rows, at, page, isOpen, hasSteps, onRow, onToggle }: Options): (event: KeyboardEvent) => void {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -rows.length,
    End: rows.length,
  };
  const move = (by: number): void => {
    let to = Math.max(0, Math.min(rows.length - 1, at + by));
    const direction = by < 0 ? -1 : 1;
    while (rows[to] !== undefined && rows[to]?.kind !== 'line') to += direction;
    const row = rows[to];
    if (row !== undefined) onRow(row);
  };
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = moves[event.key];
    if (by !== undefined) move(by);
    else if (event.target instanceof HTMLButtonElement) return;
    else if (event.key === 'Enter' || (event.key === 'ArrowRight' && !isOpen) || (event.key === 'ArrowLeft' && isOpen)) {
      if (hasSteps) onToggle();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

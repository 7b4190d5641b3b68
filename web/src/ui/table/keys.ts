import { HEAD_HEIGHT, ROW_HEIGHT } from './column';
import type { Rows } from '../use-rows';

interface Options {
  readonly rows: Rows;
  readonly n: number;
  /** Row that keys start from; −1 for none. */
  readonly selected: number;
  readonly onSelect: (row: number) => void;
  readonly onOpen: (row: number) => void;
  readonly onMenu: (row: number, x: number, y: number) => void;
  readonly onKey: ((key: string, row: number) => boolean) | undefined;
}

/** Distance of a row's menu from the left edge of the table, in pixels. */
const MENU_LEFT = 240;

/** Keys of a table: arrows, Page Up and Down, Home and End select, Enter opens, `m` opens the menu; others go to `onKey`. */
export function tableKeys({ rows, n, selected, onSelect, onOpen, onMenu, onKey }: Options): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || n === 0) return;
    const onButton = event.target instanceof HTMLButtonElement;
    const page = Math.max(1, Math.floor(rows.height / ROW_HEIGHT) - 2);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: selected + 1,
      ArrowUp: selected - 1,
      PageDown: selected + page,
      PageUp: selected - page,
      Home: 0,
      End: n - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) {
      const row = Math.max(0, Math.min(n - 1, to));
      onSelect(row);
      rows.show(row);
    } else if (!onButton && onKey?.(event.key, selected) === true) {
      // Done.
    } else if (event.key === 'Enter' && selected >= 0 && !onButton) onOpen(selected);
    else if (event.key === 'm' && selected >= 0) {
      const { current: box } = rows.box;
      const { left = 0, top = 0 } = box?.getBoundingClientRect() ?? {};
      onMenu(selected, left + MENU_LEFT, top + HEAD_HEIGHT + (selected + 1) * ROW_HEIGHT - (box?.scrollTop ?? 0));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

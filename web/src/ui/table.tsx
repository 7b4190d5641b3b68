import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { scrollToShow, visibleRows } from '../logic/window';

export interface Column {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly width: string;
  readonly align: 'left' | 'right';
  readonly sorted?: 'ascending' | 'descending' | 'none';
  readonly cell: (row: number) => ComponentChildren;
}

interface Props {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly n: number;
  /** Number of the selected row; −1 for none. */
  readonly selected: number;
  readonly rowClass: (row: number) => string;
  readonly onSort: (key: string) => void;
  readonly onSelect: (row: number) => void;
  readonly onOpen: (row: number) => void;
  /** A click, where it does more than select. */
  readonly onPick?: (row: number) => void;
  readonly onMenu: (row: number, x: number, y: number) => void;
}

export const ROW_HEIGHT = 26;
const HEAD_HEIGHT = 30;

/** A table of any length: only rows on the screen are in the page. */
export function DataTable({ label, columns, n, selected, rowClass, onSort, onSelect, onOpen, onPick = onSelect, onMenu }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState({ top: 0, height: 600 });
  const { first, last } = visibleRows(scroll.top, scroll.height, ROW_HEIGHT, n);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const read = (): void => {
      setScroll({ top: element.scrollTop, height: element.clientHeight });
    };
    read();
    const resized = new ResizeObserver(read);
    resized.observe(element);
    return () => {
      resized.disconnect();
    };
  }, []);

  const show = (row: number): void => {
    const element = box.current;
    if (element !== null) element.scrollTop = scrollToShow(row, element.scrollTop, element.clientHeight - HEAD_HEIGHT, ROW_HEIGHT);
  };
  // The address may name a row far down: show it once, when it first appears.
  const shown = useRef(false);
  useLayoutEffect(() => {
    if (selected >= 0 && !shown.current && box.current !== null)
      box.current.scrollTop = Math.max(0, (selected + 1) * ROW_HEIGHT - box.current.clientHeight / 2);
    shown.current = selected >= 0 || n > 0;
  }, [selected >= 0, n > 0]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(scroll.height / ROW_HEIGHT) - 2);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: selected + 1,
      ArrowUp: selected - 1,
      PageDown: selected + page,
      PageUp: selected - page,
      Home: 0,
      End: n - 1,
    };
    const to = moves[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || n === 0) return;
    if (to !== undefined) {
      const row = Math.max(0, Math.min(n - 1, to));
      onSelect(row);
      show(row);
    } else if (event.key === 'Enter' && selected >= 0 && !(event.target instanceof HTMLButtonElement)) onOpen(selected);
    else if (event.key === 'm' && selected >= 0) {
      const rect = box.current?.getBoundingClientRect();
      onMenu(selected, (rect?.left ?? 0) + 240, (rect?.top ?? 0) + HEAD_HEIGHT + (selected + 1) * ROW_HEIGHT - scroll.top);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const rowOf = (target: EventTarget | null): number => {
    const row = target instanceof Element ? target.closest('tr[data-row]') : null;
    return row === null ? -1 : Number(row.getAttribute('data-row'));
  };
  const on =
    (act: (row: number, event: MouseEvent) => void) =>
    (event: MouseEvent): void => {
      const row = rowOf(event.target);
      if (row >= 0) act(row, event);
    };

  return (
    <div
      class="table-scroll"
      ref={box}
      tabIndex={0}
      role="group"
      aria-label={`${label}; arrows select, Enter opens, m for the menu`}
      onScroll={(e) => {
        setScroll({ top: e.currentTarget.scrollTop, height: e.currentTarget.clientHeight });
      }}
      onKeyDown={onKeyDown}
    >
      <table class="data" aria-label={label} aria-rowcount={n + 1}>
        <colgroup>
          {columns.map((c) => (
            <col key={c.key} class={`col-${c.key}`} style={{ width: c.width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((c) => (
              <th key={c.key} scope="col" class={c.align} aria-sort={c.sorted ?? 'none'}>
                {c.sorted === undefined ? (
                  <span title={c.hint}>{c.label}</span>
                ) : (
                  <button
                    type="button"
                    title={c.hint}
                    onClick={() => {
                      onSort(c.key);
                    }}
                  >
                    {c.label}
                    <span class="sort-mark" aria-hidden="true">
                      {c.sorted === 'none' ? '' : c.sorted === 'descending' ? '▾' : '▴'}
                    </span>
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          onClick={on((row) => {
            onPick(row);
          })}
          onDblClick={on((row) => {
            onOpen(row);
          })}
          onContextMenu={on((row, event) => {
            event.preventDefault();
            onSelect(row);
            onMenu(row, event.clientX, event.clientY);
          })}
        >
          {first > 0 && (
            <tr aria-hidden="true" style={{ height: `${first * ROW_HEIGHT}px` }}>
              <td colSpan={columns.length} />
            </tr>
          )}
          {Array.from({ length: last - first }, (_, i) => first + i).map((row) => (
            <tr key={row} data-row={row} aria-rowindex={row + 2} aria-selected={row === selected} class={rowClass(row)}>
              {columns.map((c) => (
                <td key={c.key} class={c.align}>
                  {c.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {last < n && (
            <tr aria-hidden="true" style={{ height: `${(n - last) * ROW_HEIGHT}px` }}>
              <td colSpan={columns.length} />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

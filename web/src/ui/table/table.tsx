import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { mostRows, scrollToShow, visibleRows } from '../../logic/table/row-window';
import { HEAD_HEIGHT, ROW_HEIGHT, type Column } from './column';
import { HeadCell } from './head';
import { TableRow, type RowState } from './row';
import { useColumnWidths } from './use-column-widths';

interface Props {
  readonly label: string;
  /** What widths of columns are remembered by; else the label. */
  readonly name?: string;
  readonly columns: readonly Column[];
  /** Keys of the only columns to show, whether there is room or not; empty: those that fit. */
  readonly chosen?: readonly string[];
  readonly n: number;
  /** Scrolls to the selected row whenever another one is selected, from wherever. */
  readonly follows?: boolean;
  /** Number of the row that keys begin at; −1 for none. */
  readonly selected: number;
  /** Rows are drawn again when this changes. */
  readonly version: unknown;
  readonly rowClass: (row: number) => string;
  /** Of a tree: depth, and whether a row is open. */
  readonly rowState?: (row: number) => RowState;
  readonly onSort?: (key: string) => void;
  readonly onSelect: (row: number) => void;
  readonly onOpen: (row: number) => void;
  /** A click, where it does more than select. */
  readonly onPick?: (row: number, target: Element) => void;
  readonly onMenu: (row: number, x: number, y: number) => void;
  /** Other keys; true: it knew what to do. */
  readonly onKey?: (key: string, row: number) => boolean;
  /** Keys of the columns that are drawn, whenever they change. */
  readonly onColumns?: ((keys: readonly string[]) => void) | undefined;
  /** Rows `first..last` are on the screen. */
  readonly onWindow?: (first: number, last: number) => void;
}

/** A table of any length: only rows on the screen are in the page. One stop for Tab; arrows move inside. */
export function DataTable(props: Props) {
  const { label, n, selected, onSort, onSelect, onOpen, onMenu, onWindow } = props;
  const onPick = props.onPick ?? onSelect;
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 1100, height: 600 });
  const [seen, setSeen] = useState({ first: 0, last: 40 });
  const id = useId();
  const isTree = props.rowState !== undefined;
  const { columns, widths, onResize, onFit } = useColumnWidths({
    table: props.name ?? label,
    box,
    columns: props.columns,
    chosen: props.chosen ?? [],
    width: size.width,
    seen,
  });
  const drawn = columns.map(({ key }) => key).join(',');
  useLayoutEffect(() => {
    props.onColumns?.(drawn.split(','));
  }, [drawn]);
  const [first, last] = [Math.min(seen.first, n), Math.min(seen.last, n)];

  const look = (): void => {
    const element = box.current;
    if (element === null) return;
    const next = visibleRows(element.scrollTop, element.clientHeight, ROW_HEIGHT, n);
    if (next.first !== seen.first || next.last !== seen.last) setSeen(next);
    onWindow?.(next.first, next.last);
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => {
      setSize((old) => {
        const { clientWidth: width, clientHeight: height } = element;
        return old.width === width && old.height === height ? old : { width, height };
      });
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => {
      resized.disconnect();
    };
  }, []);
  useLayoutEffect(look, [n, size.height, props.version]);

  const show = (row: number): void => {
    const element = box.current;
    if (element !== null) element.scrollTop = scrollToShow(row, element.scrollTop, element.clientHeight - HEAD_HEIGHT, ROW_HEIGHT);
  };
  // The address may name a row far down: show it once, when it first appears.
  const shown = useRef(false);
  useLayoutEffect(() => {
    if (selected >= 0 && !shown.current && box.current !== null) {
      const { clientHeight, scrollTop } = box.current;
      const [top, bottom] = [selected * ROW_HEIGHT, (selected + 1) * ROW_HEIGHT + HEAD_HEIGHT];
      if (top < scrollTop || bottom > scrollTop + clientHeight) box.current.scrollTop = Math.max(0, top - clientHeight / 2);
    }
    shown.current = selected >= 0 || shown.current;
  }, [selected >= 0, n > 0]);
  // A row that moved because others opened or were sorted is kept on the screen.
  useLayoutEffect(() => {
    if (selected >= 0 && (isTree || props.follows === true)) show(selected);
  }, [selected]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || n === 0) return;
    const onButton = event.target instanceof HTMLButtonElement;
    const page = Math.max(1, Math.floor(size.height / ROW_HEIGHT) - 2);
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
      show(row);
    } else if (!onButton && props.onKey?.(event.key, selected) === true) {
      // Done.
    } else if (event.key === 'Enter' && selected >= 0 && !onButton) onOpen(selected);
    else if (event.key === 'm' && selected >= 0) {
      const { left, top, scroll } = placeOf(box.current);
      onMenu(selected, left + 240, top + HEAD_HEIGHT + (selected + 1) * ROW_HEIGHT - scroll);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const on =
    (act: (row: number, event: MouseEvent) => void) =>
    (event: MouseEvent): void => {
      const row = event.target instanceof Element ? event.target.closest('tr[data-row]') : null;
      if (row !== null) act(Number(row.getAttribute('data-row')), event);
    };
  const rest = columns.length;
  // Rows that leave the screen are used again for those that come: nothing is made or thrown away while scrolling.
  const slots = Math.max(mostRows(size.height, ROW_HEIGHT), last - first);

  return (
    <div
      class="table-scroll"
      ref={box}
      tabIndex={0}
      data-home
      role={isTree ? 'treegrid' : 'grid'}
      aria-label={`${label}; arrows select, Enter opens, m for the menu`}
      aria-rowcount={n + 1}
      aria-colcount={columns.length}
      aria-activedescendant={selected >= first && selected < last ? `${id}-${selected}` : undefined}
      onScroll={look}
      onKeyDown={onKeyDown}
    >
      <table class="data" role="none" style={{ width: `${widths.reduce((sum, w) => sum + w, 0)}px` }}>
        <colgroup>
          {columns.map((c, i) => (
            <col key={c.key} style={{ width: `${widths[i] ?? c.width}px` }} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {columns.map((c, i) => (
              <HeadCell key={c.key} column={c} width={widths[i] ?? c.width} onSort={onSort} onResize={onResize} onFit={onFit} />
            ))}
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          onClick={on((row, event) => {
            if (event.target instanceof Element) onPick(row, event.target);
          })}
          onDblClick={on((row, event) => {
            // What opens by one click would shut by the second.
            if (event.target instanceof Element && event.target.closest('[data-twist]') === null) onOpen(row);
          })}
          onContextMenu={on((row, event) => {
            event.preventDefault();
            onSelect(row);
            onMenu(row, event.clientX, event.clientY);
          })}
        >
          <Gap rows={first} columns={rest} />
          {Array.from({ length: last - first }, (_, i) => first + i).map((row) => (
            <TableRow
              key={row % slots}
              id={`${id}-${row}`}
              row={row}
              columns={columns}
              version={props.version}
              kind={props.rowClass(row)}
              selected={row === selected}
              state={props.rowState?.(row)}
            />
          ))}
          <Gap rows={n - last} columns={rest} />
        </tbody>
      </table>
    </div>
  );
}

function placeOf(element: HTMLElement | null): { readonly left: number; readonly top: number; readonly scroll: number } {
  const rect = element?.getBoundingClientRect();
  return { left: rect?.left ?? 0, top: rect?.top ?? 0, scroll: element?.scrollTop ?? 0 };
}

/** Room for the rows that are not in the page. */
function Gap({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr aria-hidden="true" style={{ height: `${rows * ROW_HEIGHT}px` }}>
      <td colSpan={columns} />
    </tr>
  );
}

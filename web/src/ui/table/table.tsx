import type { ComponentProps } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { maxRows } from '../../logic/table/row-window';
import { Filler } from '../filler';
import { HEAD_HEIGHT, ROW_HEIGHT, type Column } from './column';
import { HeadCell } from './head';
import { tableKeys } from './keys';
import { TableRow, type RowState } from './row';
import { useColumnWidths } from './use-column-widths';
import { useRows } from '../use-rows';

interface Props {
  readonly label: string;
  /** Key for remembered column widths; the label if absent. */
  readonly name?: string;
  readonly columns: readonly Column[];
  /** Keys of the only columns to show, whether there is room or not; empty: those that fit. */
  readonly chosen?: readonly string[];
  readonly n: number;
  /** Scrolls to the selected row whenever the selection changes. */
  readonly follows?: boolean;
  /** Row that keys start from; −1 for none. */
  readonly selected: number;
  /** Rows are drawn again when this changes. */
  readonly version: unknown;
  readonly rowClass: (row: number) => string;
  /** For trees: depth of a row, and whether it is open. */
  readonly rowState?: (row: number) => RowState;
  readonly onSort?: (key: string) => void;
  readonly onSelect: (row: number) => void;
  readonly onOpen: (row: number) => void;
  /** Handles a click that does more than select. */
  readonly onPick?: (row: number, target: Element) => void;
  readonly onMenu: (row: number, x: number, y: number) => void;
  /** Handles other keys; returns whether it did. */
  readonly onKey?: (key: string, row: number) => boolean;
  /** Keys of the columns that are drawn, whenever they change. */
  readonly onColumns?: ((keys: readonly string[]) => void) | undefined;
  /** Rows `first..last` are on the screen. */
  readonly onWindow?: (first: number, last: number) => void;
}

/** A table of any length: only rows on the screen are in the page. One stop for Tab; arrows move inside. */
export function DataTable(props: Props) {
  const { label, n, selected, onSort, onSelect, onOpen, onMenu, onWindow } = props;
  const rows = useRows(n, { rowHeight: ROW_HEIGHT, headHeight: HEAD_HEIGHT, version: props.version, onWindow });
  const { box, first, last, show } = rows;
  const id = useId();
  const isTree = props.rowState !== undefined;
  const { columns, widths, onResize, onFit } = useColumnWidths({
    table: props.name ?? label,
    box,
    columns: props.columns,
    chosen: props.chosen ?? [],
    width: rows.width,
    seen: `${first} ${last}`,
  });
  const drawn = columns.map(({ key }) => key).join(',');
  useLayoutEffect(() => {
    props.onColumns?.(drawn.split(','));
  }, [drawn]);
  useSelectedInView(show, selected, n, isTree || props.follows === true);
  const onKeyDown = tableKeys({ rows, n, selected, onSelect, onOpen, onMenu, onKey: props.onKey });
  // Elements of rows that leave the screen are reused for new ones: scrolling creates and removes none.
  const slots = Math.max(maxRows(rows.height, ROW_HEIGHT), last - first);

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
      onScroll={rows.onScroll}
      onKeyDown={onKeyDown}
    >
      <table class="data" role="none" style={{ width: `${widths.reduce((sum, w) => sum + w, 0)}px` }}>
        <TableHead columns={columns} widths={widths} onSort={onSort} onResize={onResize} onFit={onFit} />
        <tbody role="rowgroup" {...rowHandlers(props)}>
          <Filler rows={first} rowHeight={ROW_HEIGHT} columns={columns.length} />
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
          <Filler rows={n - last} rowHeight={ROW_HEIGHT} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

/** Handlers of the mouse on rows. */
function rowHandlers({ onSelect, onPick = onSelect, onOpen, onMenu }: Props) {
  return {
    onClick: onRow((row, event) => {
      if (event.target instanceof Element) onPick(row, event.target);
    }),
    onDblClick: onRow((row, event) => {
      // A row that the first click opened would close by the second.
      if (event.target instanceof Element && event.target.closest('[data-twist]') === null) onOpen(row);
    }),
    onContextMenu: onRow((row, event) => {
      event.preventDefault();
      onSelect(row);
      onMenu(row, event.clientX, event.clientY);
    }),
  };
}

/** A handler for events of rows. */
function onRow(act: (row: number, event: MouseEvent) => void): (event: MouseEvent) => void {
  return (event) => {
    const row = event.target instanceof Element ? event.target.closest('tr[data-row]') : null;
    if (row !== null) act(Number(row.getAttribute('data-row')), event);
  };
}

/** Scrolls to the selected row when it first appears; `follows`: whenever it changes. */
function useSelectedInView(show: (row: number, middle?: boolean) => void, selected: number, n: number, follows: boolean): void {
  // The address may name a row far down: show it once, when it first appears.
  const shown = useRef(false);
  useLayoutEffect(() => {
    if (selected >= 0 && !shown.current) show(selected, true);
    shown.current = selected >= 0 || shown.current;
  }, [selected >= 0, n > 0]);
  // A row that moved because others opened or were sorted is kept on the screen.
  useLayoutEffect(() => {
    if (selected >= 0 && follows) show(selected);
  }, [selected]);
}

interface HeadProps extends Pick<ComponentProps<typeof HeadCell>, 'onSort' | 'onResize' | 'onFit'> {
  readonly columns: readonly Column[];
  readonly widths: readonly number[];
}

function TableHead({ columns, widths, ...on }: HeadProps) {
  return (
    <>
      <colgroup>
        {columns.map((c, i) => (
          <col key={c.key} style={{ width: `${widths[i] ?? c.width}px` }} />
        ))}
      </colgroup>
      <thead role="rowgroup">
        <tr role="row" aria-rowindex={1}>
          {columns.map((c, i) => (
            <HeadCell key={c.key} column={c} width={widths[i] ?? c.width} {...on} />
          ))}
        </tr>
      </thead>
    </>
  );
}

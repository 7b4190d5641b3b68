import type { Row, TopReport } from '../../../api/types';
import { functionOf } from '../../../logic/names/names';
import { orderAfterClick, type Order } from '../../../logic/table/order';
import { hitClass } from '../../../logic/names/pattern';
import { rowAt } from '../../../logic/table/row-pages';
import type { TablePages } from '../../../state/report/table-pages';
import type { Store } from '../../../state/store';
import type { Column } from '../../../ui/table/column';
import { DataTable } from '../../../ui/table/table';
import { useSelectedRow } from './use-selected-row';

interface Props {
  readonly store: Store;
  readonly report: TopReport;
  /** Source of the rows. */
  readonly table: TablePages;
  /** Key for remembered column widths. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly chosen: readonly string[];
  readonly onColumns?: (keys: readonly string[]) => void;
  readonly order: Order;
  /** Follows the selection of another pane. */
  readonly follows?: boolean;
  /** Enter or a double click on a function. */
  readonly onOpen: (row: Row) => void;
}

/** The table of functions in Top and beside the flame graph. */
export function FunctionTable({ store, report, table, name, columns, chosen, onColumns, order, follows = false, onOpen }: Props) {
  const { header } = report;
  const pages = table.pages.value;
  const n = header.n_shown;
  const selected = useSelectedRow({ ...store, table }, n);
  const rowOf = (at: number): Row | undefined => rowAt(pages, at)?.row;
  return (
    <DataTable
      label="Functions by size"
      name={name}
      columns={columns}
      chosen={chosen}
      onColumns={onColumns}
      follows={follows}
      n={n}
      selected={selected.row}
      version={columns}
      rowClass={(at) => {
        const row = rowOf(at);
        if (row === undefined) return '';
        const hit = hitClass(store.search.value, row);
        return at === selected.row || functionOf(row) === store.selected.value ? `selected ${hit}` : hit;
      }}
      onSort={(key) => {
        store.go(orderAfterClick(order, key, header.has_base));
      }}
      onSelect={selected.select}
      onOpen={(at) => {
        const row = rowOf(at);
        if (row !== undefined) onOpen(row);
      }}
      onMenu={(at, x, y) => {
        store.openMenu(rowOf(at), x, y);
      }}
      onWindow={(first, last) => {
        table.want(first, last, n);
      }}
    />
  );
}

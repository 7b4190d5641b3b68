import { useMemo } from 'preact/hooks';
import type { TopReport } from '../../api/types';
import { functionOf } from '../../logic/names';
import { orderAfterClick, orderOf } from '../../logic/order';
import { matchesRow } from '../../logic/pattern';
import { rowAt } from '../../logic/row-pages';
import { param } from '../../logic/view-url';
import type { FlameTable } from '../../state/flame-table';
import type { Store } from '../../state/store';
import { DataTable, type Column } from '../../ui/table';
import { topColumns } from '../top-columns';
import { useSelectedRow } from '../use-selected-row';

interface Props {
  readonly store: Store;
  readonly table: FlameTable;
  /** Enter or a double click on a function. */
  readonly onOpen: (name: string) => void;
}

/** Columns with room beside a graph. */
const PLAIN: readonly string[] = ['flat', 'cum', 'name'];
const WITH_BASE: readonly string[] = ['delta', 'cumdelta', 'name'];

const NAME_WIDTH = 140;
/** No number is cut. */
const NUMBER_WIDTH = 108;

/** The name takes what the numbers leave. */
function narrow(column: Column): Column {
  return { ...column, width: column.key === 'name' ? NAME_WIDTH : column.key.endsWith('delta') ? NUMBER_WIDTH : column.width };
}

/** The functions of the flame graph as a table; both share the selection. */
export function SplitTable({ store, table, onOpen }: Props) {
  const report = table.pane.report.value;
  return (
    <div class="flame-table">{report?.kind === 'top' && <Functions store={store} table={table} report={report} onOpen={onOpen} />}</div>
  );
}

function Functions({ store, table, report, onOpen }: Props & { readonly report: TopReport }) {
  const { header } = report;
  const url = store.url.value;
  const pages = table.pages.pages.value;
  const n = header.n_shown;
  const order = orderOf(param(url, 'order'), param(url, 'sort'), header.has_base);
  const columns = useMemo(() => topColumns({ header, pages, order }).map(narrow), [header, pages, order.key, order.reversed]);
  const selected = useSelectedRow({ ...store, table: table.pages }, n);
  const pattern = store.search.value;
  return (
    <DataTable
      label="Functions by weight"
      columns={columns}
      chosen={header.has_base ? WITH_BASE : PLAIN}
      follows
      n={n}
      selected={selected.row}
      version={columns}
      rowClass={(at) => {
        const row = rowAt(pages, at)?.row;
        if (row === undefined) return '';
        const hit = pattern.kind !== 'ok' ? '' : matchesRow(pattern, row) ? 'hit' : 'miss';
        return at === selected.row || functionOf(row) === store.selected.value ? `selected ${hit}` : hit;
      }}
      onSort={(key) => {
        store.go(orderAfterClick(order, key, header.has_base));
      }}
      onSelect={selected.select}
      onOpen={(at) => {
        const row = rowAt(pages, at)?.row;
        if (row !== undefined) onOpen(functionOf(row));
      }}
      onMenu={(at, x, y) => {
        const row = rowAt(pages, at)?.row;
        if (row !== undefined) store.menu.value = { row, x, y };
      }}
      onWindow={(first, last) => {
        table.pages.want(first, last, n);
      }}
    />
  );
}

import { useMemo } from 'preact/hooks';
import type { TopReport } from '../../api/types';
import { functionOf } from '../../logic/names/names';
import { orderOf } from '../../logic/table/order';
import { param } from '../../logic/url/view-url';
import type { FlameTable } from '../../state/flame/table';
import type { Store } from '../../state/store';
import type { Column } from '../../ui/table/column';
import { FunctionTable } from '../shared/functions/table';
import { topColumns } from '../shared/functions/columns';

interface Props {
  readonly store: Store;
  readonly table: FlameTable;
  /** Enter or a double click on a function. */
  readonly onOpen: (name: string) => void;
}

/** Columns that fit beside a graph. */
const PLAIN: readonly string[] = ['flat', 'cum', 'name'];
const WITH_BASE: readonly string[] = ['delta', 'cumdelta', 'name'];

const NAME_WIDTH = 140;
/** Wide enough for every number. */
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
  const order = orderOf(param(url, 'order'), param(url, 'sort'), header.has_base);
  const columns = useMemo(() => topColumns({ header, pages, order }).map(narrow), [header, pages, order.key, order.reversed]);
  return (
    <FunctionTable
      store={store}
      report={report}
      table={table.pages}
      name="split"
      columns={columns}
      chosen={header.has_base ? WITH_BASE : PLAIN}
      order={order}
      follows
      onOpen={(row) => {
        onOpen(functionOf(row));
      }}
    />
  );
}

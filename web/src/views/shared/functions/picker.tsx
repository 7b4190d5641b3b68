import { useMemo } from 'preact/hooks';
import type { TopReport } from '../../../api/types';
import { chosenColumns } from '../../../logic/table/columns';
import { plural } from '../../../logic/text/format';
import { orderAfterClick, parseOrder } from '../../../logic/table/order';
import { rowAt } from '../../../logic/table/row-pages';
import { param } from '../../../logic/url/view-url';
import type { MenuAction, Store } from '../../../state/store';
import { DataTable } from '../../../ui/table/table';
import { topColumns } from './columns';
import { useSearchCount } from '../use-search-count';
import { useSelectedRow } from './use-selected-row';

/** Columns of the picker: values and name. */
const COLUMNS = 'flat,flatshare,delta,cum,cumdelta,objects,name,place';

interface Props {
  readonly store: Store;
  readonly report: TopReport;
  readonly title: string;
  /** Called with the chosen function. */
  readonly action: MenuAction;
}

/** Functions to choose from, heaviest first; search matches come before the rest. */
export function FunctionPicker({ store, report, title, action }: Props) {
  const { header } = report;
  const pattern = store.search.value;
  const pages = store.table.pages.value;
  const order = parseOrder(param(store.url.value, 'order'), header.has_base ? 'delta' : 'flat');
  const columns = useMemo(() => {
    const all = topColumns({ header, pages, order });
    const keys = chosenColumns(COLUMNS, all);
    return all.filter((c) => keys.includes(c.key));
  }, [header, pages, order.key, order.reversed]);
  const n = pattern.kind === 'ok' ? report.n_found : header.n_shown;
  const selected = useSelectedRow(store, n);
  useSearchCount(store, { count: () => report.n_found, of: header.n_shown, noun: 'function' }, report);
  const open = (at: number): void => {
    const row = rowAt(pages, at)?.row;
    if (row !== undefined) store.act(action, row);
  };
  return (
    <div class="callers">
      <div class="view-bar">
        <b>{title}</b>
        <span>{plural(n, 'function')}</span>
        <span class="hint">Top memory holders first; search to find any other function</span>
      </div>
      <DataTable
        label="Functions to choose from"
        columns={columns}
        n={n}
        selected={selected.row}
        version={columns}
        rowClass={() => 'pickable'}
        onSort={(key) => {
          store.go({ order: orderAfterClick(order, key, true).order });
        }}
        onSelect={selected.select}
        onPick={open}
        onOpen={open}
        onMenu={(at, x, y) => {
          store.openMenu(rowAt(pages, at)?.row, x, y);
        }}
        onWindow={(first, last) => {
          store.table.want(first, last, n);
        }}
      />
    </div>
  );
}

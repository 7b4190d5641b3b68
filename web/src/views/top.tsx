import { useEffect, useMemo } from 'preact/hooks';
import type { TopReport } from '../api/types';
import { chosenColumns } from '../logic/columns';
import { formatCount, plural } from '../logic/format';
import { granularityNoun } from '../logic/granularity';
import { functionOf } from '../logic/names';
import { orderAfterClick, orderOf } from '../logic/order';
import { matchesRow } from '../logic/pattern';
import { rowAt } from '../logic/row-pages';
import { param } from '../logic/view-url';
import type { Store } from '../state/store';
import { ColumnChooser } from '../ui/column-chooser';
import { DataTable } from '../ui/table';
import { topColumns } from './top-columns';
import { useSelectedRow } from './use-selected-row';

interface Props {
  readonly store: Store;
  readonly report: TopReport;
}

/** Functions (or lines, files, addresses) by weight, in any order. */
export function TopView({ store, report }: Props) {
  const { header } = report;
  const url = store.url.value;
  const pages = store.table.pages.value;
  const n = header.n_shown;
  const order = orderOf(param(url, 'order'), param(url, 'sort'), header.has_base);
  const columns = useMemo(() => topColumns({ header, pages, order }), [header, pages, order.key, order.reversed]);
  const chosen = useMemo(() => chosenColumns(param(url, 'cols'), columns), [columns, param(url, 'cols')]);
  const usual = useMemo(() => columns.flatMap((c) => (c.spare === undefined ? [] : [c.key])), [columns]);
  const selected = useSelectedRow(store, n);
  const pattern = store.search.value;
  useEffect(() => {
    store.found.value = pattern.kind === 'ok' ? { count: report.n_found, noun: 'row' } : undefined;
    return () => {
      store.found.value = undefined;
    };
  }, [report, pattern]);
  const noun = granularityNoun(param(url, 'g'));

  return (
    <div class="top">
      <div class="view-bar">
        <span>
          {n < header.n_total ? `${formatCount(n)} of ${plural(header.n_total, ...noun)}` : plural(n, ...noun)}
          {header.dropped_nodes > 0 && `, ${plural(header.dropped_nodes, 'small row')} hidden`}
        </span>
        <span class="hint">Enter or double-click: callers and callees</span>
        <span class="gap" />
        <ColumnChooser
          columns={columns}
          chosen={chosen}
          usual={usual}
          onChoose={(keys) => {
            store.go({ cols: keys.join(',') });
          }}
        />
      </div>
      <DataTable
        label="Functions by weight"
        columns={columns}
        chosen={chosen}
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
          if (row !== undefined) store.act('callers', row);
        }}
        onMenu={(at, x, y) => {
          const row = rowAt(pages, at)?.row;
          if (row !== undefined) store.menu.value = { row, x, y };
        }}
        onWindow={(first, last) => {
          store.table.want(first, last, n);
        }}
      />
    </div>
  );
}

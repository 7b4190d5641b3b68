import { useComputed, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { TopReport } from '../api/types';
import { get } from '../logic/flame-layout';
import { formatCount } from '../logic/format';
import { functionOf } from '../logic/names';
import { matchesRow } from '../logic/pattern';
import { matchesFirst, parseOrder, printOrder, runningSums, sortRows, type Order, type SortKey } from '../logic/sort-rows';
import { param } from '../logic/view-url';
import type { Store } from '../state/store';
import { DataTable } from '../ui/table';
import { baseColumns, plainColumns, type TopContext } from './top-columns';

interface Props {
  readonly store: Store;
  readonly report: TopReport;
}

/** Functions (or lines, files, addresses) by weight, in any order. */
export function TopView({ store, report }: Props) {
  const { header } = report;
  const url = store.url.value;
  const order = orderOf(param(url, 'order'), param(url, 'sort'), header.has_base);
  const functions = useMemo(() => report.row.map(functionOf), [report]);
  const matches = useMatches(store).value;
  const rows = useMemo(() => matchesFirst(sortRows(report, order), matches), [report, order.key, order.reversed, matches]);
  const sums = useMemo(() => runningSums(report, rows), [report, rows]);
  const selectedName = store.selected.value;
  const selected = useMemo(
    () => (selectedName === '' ? -1 : rows.findIndex((r) => functions[r] === selectedName)),
    [rows, functions, selectedName],
  );

  const context: TopContext = {
    report,
    rows,
    sums,
    functions,
    order,
    largest: largestOf(report),
    sortedState: (key) => (order.key !== key ? 'none' : order.reversed === isText(key) ? 'descending' : 'ascending'),
  };
  const columns = header.has_base ? baseColumns(context) : plainColumns(context);
  const rowAt = (i: number) => report.row[get(rows, i)];

  return (
    <div class="top">
      <div class="view-bar">
        <span>
          {formatCount(report.row.length)}
          {report.row.length < header.n_total ? ` of ${formatCount(header.n_total)}` : ''} {param(url, 'g') || 'functions'}
        </span>
        <span class="hint">Enter or double click: callers and callees</span>
      </div>
      <DataTable
        label="Functions by weight"
        columns={columns}
        n={rows.length}
        selected={selected}
        rowClass={(i) => {
          const row = get(rows, i);
          const hit = matches === undefined ? '' : matches[row] === 1 ? 'hit' : 'miss';
          return functions[row] === selectedName ? `selected ${hit}` : hit;
        }}
        onSort={(key) => {
          sortBy(store, order, key, header.has_base);
        }}
        onSelect={(i) => {
          store.select(rowAt(i));
        }}
        onOpen={(i) => {
          const row = rowAt(i);
          if (row !== undefined) store.act('callers', row);
        }}
        onMenu={(i, x, y) => {
          const row = rowAt(i);
          if (row !== undefined) store.menu.value = { row, x, y };
        }}
      />
    </div>
  );
}

/** Row → 1 when the search matches its name or file; tells the search box how many. */
function useMatches(store: Store) {
  const matches = useComputed(() => {
    const pattern = store.search.value;
    const current = store.main.report.value;
    if (pattern.kind !== 'ok' || current?.kind !== 'top') return undefined;
    return Uint8Array.from(current.row, (row) => (matchesRow(pattern, row) ? 1 : 0));
  });
  useSignalEffect(() => {
    const hits = matches.value;
    store.found.value = hits === undefined ? undefined : { count: hits.reduce((n, hit) => n + hit, 0), noun: 'row' };
  });
  useEffect(
    () => () => {
      store.found.value = undefined;
    },
    [],
  );
  return matches;
}

function isText(key: SortKey): boolean {
  return key === 'name' || key === 'place';
}

/** The order in force: the page's own, else pprof's `sort`, else by flat or, with a base, by change. */
function orderOf(order: string, sort: string, hasBase: boolean): Order {
  const usual: SortKey = sort === 'cum' ? (hasBase ? 'cumdelta' : 'cum') : hasBase ? 'delta' : 'flat';
  return parseOrder(order, usual);
}

function sortBy(store: Store, order: Order, clicked: string, hasBase: boolean): void {
  const { key } = parseOrder(clicked, 'flat');
  const next: Order = { key, reversed: order.key === key && !order.reversed };
  const isDefault = !next.reversed && key === (hasBase ? 'delta' : 'flat');
  // Where pprof has a name for the order, the address uses it.
  const asSort = !next.reversed && !hasBase && key === 'cum';
  store.go({ sort: asSort ? 'cum' : '', order: isDefault || asSort ? '' : printOrder(next) });
}

function largestOf(report: TopReport): number {
  let largest = 0;
  for (const value of report.cum) largest = Math.max(largest, Math.abs(value));
  return largest;
}

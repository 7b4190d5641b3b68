import { useEffect, useMemo } from 'preact/hooks';
import type { Row, TopReport } from '../api/types';
import { get } from '../logic/flame-layout';
import { formatPercent, formatValue } from '../logic/format';
import { displayName, functionOf } from '../logic/names';
import { matchesRow } from '../logic/pattern';
import type { Store } from '../state/store';
import { Swatch } from '../ui/swatch';
import { DataTable, type Column } from '../ui/table';

/** Functions to choose from, heaviest first; the search narrows the list. */
export function CallersPicker({ store, report }: { readonly store: Store; readonly report: TopReport }) {
  const { header } = report;
  const pattern = store.search.value;
  const rows = useMemo(
    () => report.row.flatMap((row, i) => (pattern.kind !== 'ok' || matchesRow(pattern, row) ? [i] : [])),
    [report, pattern],
  );
  useEffect(() => {
    store.found.value = pattern.kind === 'ok' ? { count: rows.length, noun: 'function' } : undefined;
    return () => {
      store.found.value = undefined;
    };
  }, [rows]);
  const rowAt = (i: number): Row | undefined => report.row[get(rows, i)];
  const columns: readonly Column[] = [
    {
      key: 'cum',
      label: 'Cum',
      hint: 'With all that it calls',
      width: '110px',
      align: 'right',
      cell: (i) => formatValue(get(report.cum, get(rows, i)), header.unit, header.output_unit),
    },
    {
      key: 'share',
      label: 'Share',
      hint: 'Of what is shown',
      width: '80px',
      align: 'right',
      cell: (i) => formatPercent(get(report.cum, get(rows, i)), header.value_total),
    },
    {
      key: 'name',
      label: 'Function',
      hint: '',
      width: 'auto',
      align: 'left',
      cell: (i) => {
        const name = functionOf(rowAt(i) ?? EMPTY);
        return (
          <span class="name-cell" title={name}>
            <Swatch name={name} />
            <bdi class="mono name">{displayName(name)}</bdi>
          </span>
        );
      },
    },
  ];
  const open = (i: number): void => {
    const row = rowAt(i);
    if (row !== undefined) store.act('callers', row);
  };
  return (
    <div class="callers">
      <div class="view-bar">
        <b>Whose callers?</b>
        <span class="hint">Click a function; the search above narrows the list.</span>
      </div>
      <DataTable
        label="Functions to choose from"
        columns={columns}
        n={rows.length}
        selected={store.selected.value === '' ? -1 : rows.findIndex((r) => functionOf(report.row[r] ?? EMPTY) === store.selected.value)}
        rowClass={() => 'pickable'}
        onSort={() => undefined}
        onSelect={(i) => {
          store.select(rowAt(i));
        }}
        onPick={open}
        onOpen={open}
        onMenu={(i, x, y) => {
          const row = rowAt(i);
          if (row !== undefined) store.menu.value = { row, x, y };
        }}
      />
    </div>
  );
}

const EMPTY: Row = { name: '', full_name: '', file: '', line: 0, object: '' };

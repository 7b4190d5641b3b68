import { useSignal, type Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { GrowthReport, GrowthRow } from '../../api/types';
import { formatCount, plural } from '../../logic/text/format';
import { functionOf } from '../../logic/names/names';
import { hitClass } from '../../logic/names/pattern';
import type { Stack } from '../../logic/timeline/bands';
import { afterClick, growthOrder, ordered, usualOrder } from '../../logic/timeline/order';
import { onlyThis, type Marks } from '../../logic/timeline/shown-dumps';
import { isOfMoments } from '../../logic/recording';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { MouseOrTouch } from '../../ui/mouse-or-touch';
import { DataTable } from '../../ui/table/table';
import { growthColumns, waysOf } from './columns';

interface Props {
  readonly store: Store;
  readonly report: GrowthReport;
  readonly stack: Stack;
  readonly marks: Marks;
  readonly hovered: Signal<number>;
}

/** The growth table, in the server's order or sorted by a column; Enter opens a row's stacks. */
export function TimelineTable({ store, report, stack, marks, hovered }: Props) {
  const asked = param(store.url.value, 'rank');
  const usual = usualOrder(report);
  const order = asked === '' ? usual : growthOrder(asked);
  const { shown, base } = marks;
  const rows = useMemo(() => ordered(report, order, marks), [report, order.key, order.reversed, shown, base]);
  const columns = useMemo(
    () => growthColumns({ store, report, stack, marks, order, rows }),
    [report, stack, rows, shown, base, store.url.value],
  );
  const rowAt = (at: number) => report.row[rows[at] ?? -1];
  const pattern = store.search.value;
  const { selected, select } = useSelectedRow(store, rows.length, rowAt);
  return (
    <div
      class="timeline-table"
      onPointerOver={(e) => {
        const row = e.target instanceof Element ? e.target.closest('tr[data-row]') : null;
        hovered.value = row === null ? -1 : (rows[Number(row.getAttribute('data-row'))] ?? -1);
      }}
      onPointerLeave={() => {
        hovered.value = -1;
      }}
    >
      <TableHead report={report} />
      <DataTable
        label="Growth; f opens the flame graph, t the table, o shows only this"
        columns={columns}
        n={rows.length}
        selected={selected}
        version={columns}
        rowClass={(at) => {
          const row = rowAt(at)?.row;
          if (row === undefined) return '';
          const hit = hitClass(pattern, row);
          return at === selected ? `selected ${hit}` : hit;
        }}
        onSort={(key) => {
          store.go({ rank: afterClick(order, key, usual.key) });
        }}
        onSelect={select}
        onOpen={(at) => {
          const row = rowAt(at);
          if (row !== undefined) store.go(waysOf({ report, marks }, row), 'flame');
        }}
        onKey={(key, at) => {
          const row = rowAt(at);
          if (row === undefined || !['f', 't', 'o'].includes(key)) return false;
          if (key === 'o') store.go({ ...onlyThis(report.by, row.row), sel: functionOf(row.row) });
          else store.go(waysOf({ report, marks }, row), key === 'f' ? 'flame' : 'top');
          return true;
        }}
        onMenu={(at, x, y) => {
          store.openMenu(rowAt(at)?.row, x, y);
        }}
      />
    </div>
  );
}

/** Row of the selected function; where several have its name, the one that was selected here. */
function useSelectedRow(store: Store, n: number, rowAt: (at: number) => GrowthRow | undefined) {
  const cursor = useSignal(-1);
  const name = store.selected.value;
  const isNamed = (at: number): boolean => {
    const row = rowAt(at)?.row;
    return name !== '' && row !== undefined && functionOf(row) === name;
  };
  const first = (): number => Array.from({ length: n }).findIndex((_, at) => isNamed(at));
  return {
    selected: isNamed(cursor.value) ? cursor.value : first(),
    select: (at: number): void => {
      cursor.value = at;
      store.select(rowAt(at)?.row);
    },
  };
}

function TableHead({ report }: Pick<Props, 'report'>) {
  const many = report.by === 'culprits' ? 'functions' : report.by;
  const all = plural(report.n_rows, many.replace(/s$/, ''), many);
  return (
    <div class="timeline-head">
      <h2>{isOfMoments(report) ? 'Functions over time' : 'Growth'}</h2>
      <span class="hint">
        {report.row.length < report.n_rows ? `${formatCount(report.row.length)} of ${all}` : all}
        <MouseOrTouch mouse=" · double-click to open, o to filter" touch="" />
      </span>
    </div>
  );
}

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { TypeRow, TypesReport } from '../../api/types';
import { formatPart, formatValue, plural } from '../../logic/text/format';
import type { Pattern } from '../../logic/names/pattern';
import { typeLabel, typePattern } from '../../logic/names/type-names';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';
import { DataTable } from '../../ui/table/table';
import { typeColumns } from './columns';
import { useSearchCount } from '../shared/use-search-count';

interface Props {
  readonly store: Store;
  readonly report: TypesReport;
}

const NONE = { name: '', full_name: '' };

/** Memory by type of container, and the functions that allocate it. */
export function TypesView({ store, report }: Props) {
  const { row: rows } = report;
  const cursor = useSignal(-1);
  const columns = useMemo(() => typeColumns(store, report), [report]);
  const others = report.n_types - rows.filter((row) => row.name !== '').length;
  const isHit = (p: Pattern, at: number): boolean =>
    p.kind === 'ok' && (p.test(typeLabel(rows[at] ?? NONE)) || p.test(rows[at]?.full_name ?? ''));
  const pattern = store.search.value;
  const hits = (p: Pattern): readonly TypeRow[] => rows.filter((_, at) => isHit(p, at));
  const value = (p: Pattern): number => hits(p).reduce((sum, row) => sum + row.sum.value, 0);
  useSearchCount(store, { count: (p) => hits(p).length, value, of: rows.length, noun: 'type' }, report);
  const pick = (at: number): void => {
    const row = rows[at];
    cursor.value = at;
    if (row !== undefined) store.go({ type: typePattern(row), zoom: '' });
  };
  return (
    <div class="top">
      <TypesBar store={store} report={report} />
      <DataTable
        label="Memory by type of container; f opens the flame graph, t the table"
        columns={columns}
        n={rows.length}
        selected={cursor.value}
        version={columns}
        rowClass={(at) =>
          `${at === cursor.value ? 'selected' : ''} ${pattern.kind !== 'ok' ? '' : isHit(pattern, at) ? 'hit on-type' : 'miss'}`
        }
        onSelect={(at) => {
          cursor.value = at;
        }}
        onPick={pick}
        onOpen={pick}
        onKey={(key, at) => {
          const row = rows[at];
          if (row === undefined || (key !== 'f' && key !== 't')) return false;
          store.go({ type: typePattern(row), zoom: '' }, key === 'f' ? 'flame' : 'top');
          return true;
        }}
        onMenu={(at, x, y) => {
          store.openMenu(rows[at]?.culprit[0]?.row, x, y);
        }}
      />
      {others > 0 && <Rest report={report} n={others} />}
    </div>
  );
}

/** Counts, and a button that removes the filter by type. */
function TypesBar({ store, report }: Props) {
  const { header } = report;
  const unknown = report.row.find((row) => row.name === '')?.sum;
  const typed = header.value_total - (unknown?.value ?? 0);
  const share = formatPart(typed, header.value_total);
  const only = param(store.url.value, 'type') !== '';
  return (
    <div class="view-bar">
      <span>
        {typed === 0
          ? 'No container types found'
          : `${plural(report.n_types, 'type')} · ${formatValue(typed, header.unit, header.output_unit)}${share === '' ? '' : ` (${share} of what is shown)`}`}
      </span>
      <span class="hint" title="Container functions between your code and the allocator name the type; without one, the type is unknown">
        inferred from function names
      </span>
      <span class="gap" />
      {only ? (
        <button
          type="button"
          onClick={() => {
            store.go({ type: '', zoom: '' });
          }}
        >
          All types
        </button>
      ) : (
        <span class="hint">click to filter all views</span>
      )}
    </div>
  );
}

/** Types that are not listed. */
function Rest({ report, n }: { readonly report: TypesReport; readonly n: number }) {
  return (
    <p class="summary-rest">
      <span>{plural(n, 'other type')}</span>
      <span>
        {report.header.has_base ? (
          <Delta value={report.rest.value} base={report.rest.base} unit={report.header.unit} outputUnit={report.header.output_unit} />
        ) : (
          formatValue(report.rest.value, report.header.unit, report.header.output_unit)
        )}
      </span>
    </p>
  );
}

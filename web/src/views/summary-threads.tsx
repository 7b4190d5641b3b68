import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Header } from '../api/types';
import { toggleFacet } from '../logic/facets';
import { formatExact, formatShare, formatValue, plural } from '../logic/format';
import { threadKey, threadRows, type ThreadRow } from '../logic/threads';
import { param } from '../logic/view-url';
import type { Store } from '../state/store';
import { Delta } from '../ui/delta';
import { DataTable, ROW_HEIGHT, type Column } from '../ui/table';
import { Bar } from './summary-culprits';

interface Props {
  readonly store: Store;
}

const HEAD = 32;
/** Threads in the table; the others are in the panel of labels. */
const MOST = 6;

/** What each thread holds, where the profile says it: a click filters by one, a button groups all stacks by thread. */
export function SummaryThreads({ store }: Props) {
  const key = threadKey(store.meta.value?.label_keys ?? []);
  const report = store.labels.report.value;
  const tag = report?.tag.find((of) => of.key === key);
  const cursor = useSignal(-1);
  const rows = useMemo(() => (tag === undefined ? [] : threadRows(tag)), [tag]);
  const shown = rows.slice(0, MOST);
  const header = report?.header;
  const columns = useMemo(() => (header === undefined ? [] : columnsOf(header, shown)), [header, rows]);
  if (key === '' || header === undefined || rows.length === 0) return null;
  const open = (at: number): void => {
    const row = shown[at];
    if (row !== undefined) store.go({ tf: toggleFacet(param(store.url.value, 'tf'), 'and', { key, text: row.name }), zoom: '' });
  };
  return (
    <section class="summary-part" aria-labelledby="by-thread">
      <div class="summary-head">
        <h2 id="by-thread">By thread</h2>
        <span class="hint">click to filter</span>
        {!store.browser.inFile && (
          <a class="summary-more" href={store.href({ tagroot: key, zoom: '' }, 'flame')}>
            Group by thread
          </a>
        )}
      </div>
      <div class="summary-table" style={{ height: `${shown.length * ROW_HEIGHT + HEAD}px` }}>
        <DataTable
          label="Memory by thread"
          columns={columns}
          n={shown.length}
          selected={cursor.value}
          version={columns}
          rowClass={(at) => (at === cursor.value ? 'selected' : '')}
          onSelect={(at) => {
            cursor.value = at;
          }}
          onPick={(at) => {
            cursor.value = at;
            open(at);
          }}
          onOpen={open}
          onMenu={open}
        />
      </div>
      {rows.length > shown.length && (
        <p class="summary-rest">
          <button
            type="button"
            class="link"
            onClick={() => {
              store.labelsOpen.value = true;
            }}
          >
            {plural(rows.length - shown.length, 'other thread')}
          </button>
        </p>
      )}
    </section>
  );
}

function columnsOf(header: Header, rows: readonly ThreadRow[]): readonly Column[] {
  const largest = Math.max(1, ...rows.map(({ value }) => Math.abs(value)));
  const columns: Column[] = [
    {
      key: 'thread',
      label: 'Thread',
      hint: 'Name of the thread that allocated',
      width: 120,
      grows: true,
      spare: 0,
      align: 'left',
      cell: (at) => <bdi class="name mono">{rows[at]?.name === '' ? '(no name)' : rows[at]?.name}</bdi>,
    },
    {
      key: 'bar',
      label: '',
      hint: 'Relative to the largest',
      width: 84,
      spare: 3,
      align: 'left',
      cell: (at) => <Bar share={Math.abs(rows[at]?.value ?? 0) / largest} hue="accent-bar" />,
    },
    {
      key: 'value',
      label: header.value_type.startsWith('alloc') ? 'Allocated' : 'In use',
      hint: 'Memory that the thread allocated',
      width: 88,
      spare: 0,
      align: 'right',
      cell: (at) => {
        const value = rows[at]?.value ?? 0;
        return <span title={formatExact(value, header.unit)}>{formatValue(value, header.unit, header.output_unit)}</span>;
      },
    },
    {
      key: 'share',
      label: '%',
      hint: 'Share of what is shown',
      width: 80,
      spare: 0,
      align: 'right',
      cell: (at) => formatShare(rows[at]?.value ?? 0, header.value_total),
    },
  ];
  if (header.has_base)
    columns.push({
      key: 'delta',
      label: 'Change',
      hint: 'Difference from the baseline',
      width: 104,
      spare: 0,
      align: 'right',
      cell: (at) => {
        const { value = 0, base = 0 } = rows[at] ?? {};
        return <Delta value={value} base={base} unit={header.unit} outputUnit={header.output_unit} />;
      },
    });
  return columns;
}

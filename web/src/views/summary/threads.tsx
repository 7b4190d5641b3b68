import { useMemo } from 'preact/hooks';
import type { Header } from '../../api/types';
import { toggleFacet } from '../../logic/labels/label-filters';
import { plural } from '../../logic/text/format';
import { threadKey, threadRows, type ThreadRow } from '../../logic/labels/threads';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import type { Column } from '../../ui/table/column';
import { sumColumns } from '../shared/sum-columns';
import { ShareBar } from '../shared/share-bar';
import { SummaryTable } from './table';

interface Props {
  readonly store: Store;
}

/** Threads in the table; the others are in the panel of labels. */
const MOST = 6;

/** Memory by thread, for profiles that label threads: a click filters by one, a button groups all stacks by thread. */
export function SummaryThreads({ store }: Props) {
  const key = threadKey(store.meta.value?.label_keys ?? []);
  const report = store.labels.report.value;
  const tag = report?.tag.find((of) => of.key === key);
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
        <a class="summary-more" href={store.href({ tagroot: key, zoom: '' }, 'flame')}>
          Group by thread
        </a>
      </div>
      <SummaryTable label="Memory by thread" columns={columns} n={shown.length} onOpen={open} />
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
  const { value, share, change } = sumColumns(header, 'Memory that the thread allocated', (at) => rows[at]);
  return [
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
      cell: (at) => <ShareBar share={Math.abs(rows[at]?.value ?? 0) / largest} hue="accent-bar" />,
    },
    value,
    share,
    ...change,
  ];
}

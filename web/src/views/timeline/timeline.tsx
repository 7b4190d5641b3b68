import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { GrowthReport } from '../../api/types';
import { formatValue, plural } from '../../logic/text/format';
import { growthNotes, seriesLength, withExit } from '../../logic/timeline/summary-growth';
import { functionOf } from '../../logic/names/names';
import { matchesRow } from '../../logic/names/pattern';
import { chooseBands, rowKey, stackOf } from '../../logic/timeline/bands';
import { marksOf } from '../../logic/timeline/shown-dumps';
import { axisOf } from '../../logic/timeline/scale';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { ProblemBox } from '../../ui/problem';
import { growthNoun } from '../../logic/timeline/text';
import { TimelineBar } from './bar';
import { TimelineChart } from './chart';
import { ScreenReaderTable } from './screen-reader-table';
import { ComparisonBar } from './comparison-bar';
import type { Reach } from './overlay';
import { TimelineTable } from './table';
import { useSearchCount } from '../shared/use-search-count';

interface Props {
  readonly store: Store;
  readonly report: GrowthReport;
}

/** Memory over time: stacked areas, in which a dump is shown or two are compared, and the growth table. */
export function TimelineView({ store, report: counted }: Props) {
  const report = useMemo(() => withExit(counted), [counted]);
  const url = store.url.value;
  const axis = axisOf(report, param(url, 'axis'));
  const bands = useBands(store, report);
  const stack = useMemo(() => stackOf(report, bands), [report, bands]);
  const marks = marksOf(report, url, store.meta.value?.dumps ?? []);
  /** The row under the pointer, in the chart or the table. */
  const hovered = useSignal(-1);
  const reach = useSignal<Reach | undefined>(undefined);
  const pattern = store.search.value;
  useSearchCount(
    store,
    { count: (p) => report.row.filter((r) => matchesRow(p, r.row)).length, of: report.row.length, noun: growthNoun(report.by)[0] },
    report,
  );
  if (counted.dump.length < 2) return <TooFewDumps store={store} />;
  const { header } = report;
  const notes = growthNotes(counted, (v) => formatValue(v, header.unit, header.output_unit));
  const name = store.selected.value;
  const bright = (row: number): boolean => {
    const of = report.row[row]?.row;
    if (pattern.kind === 'ok') return of !== undefined && matchesRow(pattern, of);
    return name === '' || (of !== undefined && functionOf(of) === name);
  };
  const lit = stack.bands.map(({ row }) => bright(row));
  // The selected function may have no band: then no other band is dimmed.
  const all = pattern.kind !== 'ok' && !lit.includes(true);
  return (
    <div class="timeline">
      <h1 class="sr">Timeline</h1>
      <TimelineBar store={store} report={report} axis={axis} />
      {notes.map((note) => (
        <p key={note} class="timeline-note">
          {note}
        </p>
      ))}
      <TimelineChart
        store={store}
        report={report}
        stack={stack}
        axis={axis}
        marks={marks}
        lit={all ? lit.map(() => true) : lit}
        hovered={hovered}
        reach={reach}
      />
      <ComparisonBar store={store} report={report} marks={marks} reach={reach} />
      <TimelineTable store={store} report={report} stack={stack} marks={marks} hovered={hovered} />
      <ScreenReaderTable report={report} stack={stack} />
    </div>
  );
}

/** Rows with a band; bands keep their places while dumps are added. */
function useBands(store: Store, report: GrowthReport): readonly number[] {
  const path = store.main.shownPath.value;
  const last = useRef<{ readonly path: string; readonly keys: readonly string[] }>({ path: '', keys: [] });
  return useMemo(() => {
    const rows = chooseBands(report, last.current.path === path ? last.current.keys : []);
    last.current = { path, keys: rows.flatMap((at) => report.row[at] ?? []).map(rowKey) };
    return rows;
  }, [report]);
}

/** Shown for a single dump: how to open several. */
export function TooFewDumps({ store }: Pick<Props, 'store'>) {
  const n = seriesLength(store.meta.value?.dumps ?? []);
  const file = store.meta.value?.file ?? '';
  return (
    <ProblemBox
      kind="empty"
      title="A timeline needs several dumps"
      message={`${n < 2 ? `This process has ${n === 1 ? 'one dump' : 'no dump'}` : `No two of the ${plural(n, 'dump')} are from one process`}. Take several dumps of one process, some time apart, and open all of them.`}
      hint={`heapview -http=: ${file === '' ? '' : `${file} `}dumps/ opens all dumps in a folder.`}
    />
  );
}

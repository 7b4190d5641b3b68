import type { AnyReport } from '../api/guards';
import type { Store } from '../state/store';
import { isShown } from '../state/is-shown';
import { ProblemBox } from '../ui/problem';
import { CallersView } from './callers';
import { FlameView } from './flame/flame';
import { GraphView } from './graph';
import { seriesLength } from '../logic/growing';
import { foldedKinds, SHOW_ALL } from '../logic/show';
import { hasFilters, noFilters } from './links';
import { SizesView } from './sizes';
import { SourceView } from './source';
import { SummaryView } from './summary';
import { TimelineView, TooFewDumps } from './timeline';
import { TopView } from './top';
import { TreeView } from './tree';
import { TypesView } from './types';

interface Props {
  readonly store: Store;
}

/** The view, or why there is none. */
export function Stage({ store }: Props) {
  const { report, problem } = store.main;
  const { view } = store.url.value;
  if (store.unknownPath.value !== '') {
    return (
      <ProblemBox title="There is no such page" message={store.unknownPath.value}>
        <button
          type="button"
          onClick={() => {
            store.go({}, 'summary');
          }}
        >
          Open the summary
        </button>
      </ProblemBox>
    );
  }
  const wrong = problem.value;
  if (view === 'timeline' && (wrong?.field === 'dump' || seriesLength(store.meta.value?.dumps ?? []) < 2))
    return <TooFewDumps store={store} />;
  if (wrong !== undefined && wrong.kind !== 'unreachable') return <Refused store={store} />;
  const current = isShown(report.value, view) ? report.value : undefined;
  if (wrong !== undefined && current === undefined) {
    return (
      <ProblemBox
        title="No answer"
        message={wrong.message}
        hint="Start heapview again with the same file; this page then goes on by itself."
      />
    );
  }
  if (current === undefined)
    return (
      <div class="waiting" role="status">
        Reading the profile…
      </div>
    );
  if (isEmpty(current)) return <Empty store={store} />;
  switch (view) {
    case 'summary':
      return current.kind === 'summary' ? <SummaryView store={store} report={current} /> : null;
    case 'top':
      return current.kind === 'top' ? <TopView store={store} report={current} /> : null;
    case 'flame':
      return current.kind === 'flame' ? <FlameView store={store} report={current} /> : null;
    case 'graph':
      return current.kind === 'graph' ? <GraphView store={store} report={current} /> : null;
    case 'tree':
      return current.kind === 'flame' ? <TreeView store={store} report={current} /> : null;
    case 'callers':
      return <CallersView store={store} report={current} />;
    case 'source':
      return <SourceView store={store} report={current} />;
    case 'sizes':
      return current.kind === 'sizes' ? <SizesView store={store} report={current} /> : null;
    case 'timeline':
      return current.kind === 'growth' ? <TimelineView store={store} report={current} /> : null;
    case 'types':
      return current.kind === 'types' ? <TypesView store={store} report={current} /> : null;
    default:
      return view satisfies never;
  }
}

/** Whether there is nothing to show; some views say so themselves. */
function isEmpty(report: AnyReport): boolean {
  if (report.kind === 'peek' || report.kind === 'summary') return false;
  if (report.kind === 'growth') return report.dump.length > 1 && report.dump.every(({ total }) => total === 0) && report.row.length === 0;
  return report.header.value_total === 0 && report.header.base_total === 0;
}

const NOT_FOUND = 404;
/** What only a server has. */
const NOT_HERE = 501;

/** As the server says it, with a capital and a stop. */
function sentence(text: string): string {
  return text === '' ? '' : text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}

function Refused({ store }: Props) {
  const wrong = store.main.problem.value;
  if (wrong === undefined) return null;
  const { field, status } = wrong;
  const who = store.browser.inFile ? 'This file' : 'The server';
  const title =
    status === NOT_FOUND
      ? 'Nothing matches'
      : status === NOT_HERE
        ? 'Not in this file'
        : field === ''
          ? `${who} cannot answer this`
          : `${who} does not understand “${field}”`;
  const out = field === 'peek' || field === 'list' ? 'Choose another function' : field === 'zoom' ? 'Show everything' : `Remove ${field}`;
  return (
    <ProblemBox title={title} message={sentence(wrong.message)} hint={status === NOT_FOUND ? '' : sentence(wrong.hint)}>
      {field !== '' && (
        <button
          type="button"
          class="primary"
          onClick={() => {
            store.go({ [field]: '' });
          }}
        >
          {out}
        </button>
      )}
      {(field === 'peek' || field === 'list') && foldedKinds(store.url.value).length > 0 && (
        <button
          type="button"
          onClick={() => {
            store.go(SHOW_ALL);
          }}
        >
          Show all frames
        </button>
      )}
      {hasFilters(store) && (
        <button
          type="button"
          onClick={() => {
            store.go({ ...noFilters(store.url.value), zoom: '' });
          }}
        >
          Remove all filters
        </button>
      )}
      <a class="button" href={store.browser.link('/')}>
        Start over
      </a>
    </ProblemBox>
  );
}

function Empty({ store }: Props) {
  const filtered = hasFilters(store);
  return (
    <ProblemBox
      kind="empty"
      title={filtered ? 'No stack passes these filters' : 'No memory of this value type'}
      message={filtered ? 'The filters above exclude every sample.' : 'All values are zero. Try another value type or dump.'}
    >
      {filtered && (
        <button
          type="button"
          class="primary"
          onClick={() => {
            store.go({ ...noFilters(store.url.value), zoom: '' });
          }}
        >
          Remove all filters
        </button>
      )}
    </ProblemBox>
  );
}

import type { AnyReport } from '../api/guards';
import type { Store } from '../state/store';
import { isShown } from '../state/report/is-shown';
import { openCommand } from '../logic/doctor';
import { ProblemBox } from '../ui/problem';
import { CallersView } from '../views/callers/callers';
import { FlameView } from '../views/flame/flame';
import { GraphView } from '../views/graph/graph';
import { seriesLength } from '../logic/timeline/summary-growth';
import { missingDump } from '../logic/url/link-dumps';
import { sentence } from '../logic/text/sentence';
import { foldedKinds, SHOW_ALL } from '../logic/url/show-level';
import { hasFilters, noFilters } from '../logic/url/filters';
import { SizesView } from '../views/sizes/sizes';
import { SourceView } from '../views/source/source';
import { SummaryView } from '../views/summary/summary';
import { TimelineView, TooFewDumps } from '../views/timeline/timeline';
import { TopView } from '../views/top/top';
import { TreeView } from '../views/tree/tree';
import { TypesView } from '../views/types/types';

interface Props {
  readonly store: Store;
}

/** The view, or why there is none. */
export function CurrentView({ store }: Props) {
  const { report, problem } = store.main;
  const { view } = store.url.value;
  if (store.unknownPath.value !== '') {
    return (
      <ProblemBox title="Page not found" message={store.unknownPath.value}>
        <button
          type="button"
          onClick={() => {
            store.go({}, 'summary');
          }}
        >
          Open the Summary
        </button>
      </ProblemBox>
    );
  }
  const wrong = problem.value;
  if (wrong?.status === NOT_OPEN) return <Refused store={store} />;
  const missing = missingDump(store.url.value, store.meta.value?.dumps ?? []);
  if (missing !== undefined) return <MissingDump store={store} text={missing.text} />;
  if (view === 'timeline' && (wrong?.field === 'dump' || seriesLength(store.meta.value?.dumps ?? []) < 2))
    return <TooFewDumps store={store} />;
  if (wrong !== undefined && wrong.kind !== 'unreachable') return <Refused store={store} />;
  const current = isShown(report.value, view) ? report.value : undefined;
  if (wrong !== undefined && current === undefined) {
    return (
      <ProblemBox title="No answer" message={wrong.message} hint="Start heapview again with the same file; this page then reconnects." />
    );
  }
  if (current === undefined)
    return (
      <div class="waiting" role="status">
        Reading the profile…
      </div>
    );
  if (isEmpty(current)) return <Empty store={store} />;
  return <ViewOf store={store} report={current} />;
}

function ViewOf({ store, report }: Props & { readonly report: AnyReport }) {
  const { view } = store.url.value;
  switch (view) {
    case 'summary':
      return report.kind === 'summary' ? <SummaryView store={store} report={report} /> : null;
    case 'top':
      return report.kind === 'top' ? <TopView store={store} report={report} /> : null;
    case 'flame':
      return report.kind === 'flame' ? <FlameView store={store} report={report} /> : null;
    case 'graph':
      return report.kind === 'graph' ? <GraphView store={store} report={report} /> : null;
    case 'tree':
      return report.kind === 'flame' ? <TreeView store={store} report={report} /> : null;
    case 'callers':
      return <CallersView store={store} report={report} />;
    case 'source':
      return <SourceView store={store} report={report} />;
    case 'sizes':
      return report.kind === 'sizes' ? <SizesView store={store} report={report} /> : null;
    case 'timeline':
      return report.kind === 'growth' ? <TimelineView store={store} report={report} /> : null;
    case 'types':
      return report.kind === 'types' ? <TypesView store={store} report={report} /> : null;
    default:
      return view satisfies never;
  }
}

/** Whether there is nothing to show; some views have a message of their own. */
function isEmpty(report: AnyReport): boolean {
  if (report.kind === 'peek' || report.kind === 'summary') return false;
  if (report.kind === 'growth') return report.dump.length > 1 && report.dump.every(({ total }) => total === 0) && report.row.length === 0;
  return report.header.value_total === 0 && report.header.base_total === 0;
}

const NOT_FOUND = 404;
/** Status of questions that need files. */
const NOT_HERE = 501;
/** Status of every question when the data of a report file is damaged. */
const NOT_OPEN = 422;

/** The address names a dump that is not open. */
function MissingDump({ store, text }: Props & { readonly text: string }) {
  return (
    <ProblemBox title="Dump not open" message={text} hint="Open the missing file, or look at the latest dump.">
      <button
        type="button"
        class="primary"
        onClick={() => {
          store.go({ dump: '', base: '', diff_base: '', zoom: '' });
        }}
      >
        Show the latest dump
      </button>
    </ProblemBox>
  );
}

/** The address has parameters that no report has: all of them at once. */
function UnknownOptions({ store, names }: Props & { readonly names: readonly string[] }) {
  const what =
    names.length === 1 ? 'an option that this version of heapview does not know' : 'options that this version of heapview does not know';
  return (
    <ProblemBox title="Unknown option in the link" message={`This link has ${what}: ${names.join(', ')}.`}>
      <button
        type="button"
        class="primary"
        onClick={() => {
          store.go(Object.fromEntries(names.map((name) => [name, ''])));
        }}
      >
        Open without {names.length === 1 ? 'it' : 'them'}
      </button>
      <a class="button" href={store.browser.link('/')}>
        Start over
      </a>
    </ProblemBox>
  );
}

/** Source lines and machine code are in files that the page of a site does not get. */
function NotInBrowser({ store }: Props) {
  return (
    <ProblemBox
      title="No source lines in the browser"
      message="This page reads profiles and binaries, but neither source files nor machine code."
      hint={`Where the sources are, run ${openCommand(store.meta.value?.dumps ?? []) || 'heapview -http=: BINARY DUMP'}. Or drop a report here that heapview export -with-sources wrote.`}
    />
  );
}

const WHO = { server: 'The server', report: 'This file', site: 'This page' } as const;

function Refused({ store }: Props) {
  const wrong = store.main.problem.value;
  if (wrong === undefined) return null;
  if (wrong.unknown.length > 0) return <UnknownOptions store={store} names={wrong.unknown} />;
  const { field, status } = wrong;
  const who = WHO[store.browser.kind];
  if (status === NOT_HERE && store.browser.kind === 'site') return <NotInBrowser store={store} />;
  const title =
    status === NOT_FOUND
      ? 'Nothing matches'
      : status === NOT_OPEN
        ? 'This report cannot be opened'
        : status === NOT_HERE
          ? 'Not in this file'
          : field === ''
            ? `${who} cannot answer this`
            : `${who} does not understand “${field}”`;
  const out = field === 'peek' || field === 'list' ? 'Choose another function' : field === 'zoom' ? 'Reset zoom' : `Remove ${field}`;
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
      {hasFilters(store.url.value) && (
        <button
          type="button"
          onClick={() => {
            store.go({ ...noFilters(store.url.value), zoom: '' });
          }}
        >
          Remove all filters
        </button>
      )}
      {status !== NOT_OPEN && (
        <a class="button" href={store.browser.link('/')}>
          Start over
        </a>
      )}
    </ProblemBox>
  );
}

function Empty({ store }: Props) {
  const filtered = hasFilters(store.url.value);
  return (
    <ProblemBox
      kind="empty"
      title={filtered ? 'No stack matches these filters' : 'No memory of this value type'}
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

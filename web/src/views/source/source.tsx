import { useMemo } from 'preact/hooks';
import type { AnyReport } from '../../api/guards';
import type { SourceEntry, SourceReport } from '../../api/types';
import { byWeight, chosenEntry, firstLine, parseLines, toggleLine } from '../../logic/source/lines';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { ProblemBox } from '../../ui/problem';
import { FunctionPicker } from '../shared/functions/picker';
import { SourceBar } from './bar';
import { SourceCode } from './code';
import { SourceLines } from './lines';
import { SourceMissing } from './missing';
import { showsCode, useSourceKeys } from './keys';

interface Props {
  readonly store: Store;
  readonly report: AnyReport;
}

/** Source lines of a function with their values; without one, a list to choose from. */
export function SourceView({ store, report }: Props) {
  if (report.kind === 'top')
    return <FunctionPicker store={store} report={report} title="Pick a function to see its source" action="source" />;
  return report.kind === 'source' ? <Source store={store} report={report} /> : null;
}

function Source({ store, report }: { readonly store: Store; readonly report: SourceReport }) {
  const url = store.url.value;
  const entries = useMemo(() => byWeight(report.entry), [report]);
  const entry = chosenEntry(entries, store.selected.value, param(url, 'in'));
  if (entry === undefined) return <ProblemBox kind="empty" title="No function matches" message={param(url, 'list')} />;
  return <Entry store={store} report={report} entries={entries} entry={entry} />;
}

interface EntryProps {
  readonly store: Store;
  readonly report: SourceReport;
  readonly entries: readonly SourceEntry[];
  readonly entry: SourceEntry;
}

function Entry({ store, report, entries, entry }: EntryProps) {
  const url = store.url.value;
  const line = Number(param(url, 'line')) || firstLine(entry);
  const open = useMemo(() => parseLines(param(url, 'lines')), [url]);
  const hasCode = showsCode(store);
  const select = (next: number): void => {
    store.adjust({ line: String(next) });
  };
  const toggle = (at: number): void => {
    store.adjust({ line: String(at), lines: toggleLine(open, at) });
  };
  useSourceKeys(store, entry, line, select, toggle);
  return (
    <div class="source">
      <SourceBar store={store} report={report} entries={entries} entry={entry} line={line} onLine={select} />
      <SourceMissing store={store} report={report} entry={entry} />
      <div class={hasCode ? 'source-panes with-code' : 'source-panes'}>
        <SourceLines store={store} header={report.header} entry={entry} line={line} open={open} onLine={select} onToggle={toggle} />
        {hasCode && <SourceCode store={store} header={report.header} entry={entry} line={line} onLine={select} />}
      </div>
    </div>
  );
}

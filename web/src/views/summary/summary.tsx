import type { SummaryReport, SummaryTotal } from '../../api/types';
import { pairOf, shownOf } from '../../logic/dumps';
import { scopeOf, shownRun, valueChoices, valueLabel } from '../../logic/recording';
import { withSpaces } from '../../logic/text/elapsed';
import { formatCount, formatExact, formatHeapShare, formatValue, plural } from '../../logic/text/format';
import { matchesRow } from '../../logic/names/pattern';
import { hasFilters, noFilters } from '../../logic/url/filters';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';
import { SummaryGrowth } from './growth';
import { SummaryCulprits } from './culprits';
import { NextSteps } from './next-steps';
import { SummaryPackages } from './packages';
import { RecordingBlocks, RecordingFacts, runNotes } from './recording';
import { MemoryHint, SummaryMemory } from './memory';
import { useSearchCount } from '../shared/use-search-count';
import { SummaryThreads } from './threads';

interface Props {
  readonly store: Store;
  readonly report: SummaryReport;
}

/** Totals, growth, top memory holders, packages, threads and next steps. */
export function SummaryView({ store, report }: Props) {
  const { header } = report;
  const listed = report.culprit.map(({ row }) => row);
  useSearchCount(
    store,
    { count: (p) => listed.filter((row) => matchesRow(p, row)).length, of: report.n_culprits, noun: 'function' },
    report,
  );
  const isEmpty = report.n_culprits === 0 && header.value_total === 0 && header.base_total === 0;
  return (
    <div class="summary">
      <h1 class="sr">Summary</h1>
      <Headline store={store} />
      <Cards store={store} report={report} />
      <RecordingFacts store={store} />
      <SummaryGrowth store={store} />
      <SummaryMemory report={report} />
      {isEmpty ? (
        <Nothing store={store} report={report} />
      ) : (
        <div class="summary-columns">
          <SummaryCulprits store={store} report={report} />
          <div class="summary-side">
            <SummaryPackages store={store} report={report} />
            <SummaryThreads store={store} />
          </div>
        </div>
      )}
      <RecordingBlocks store={store} report={report} />
      <NextSteps store={store} report={report} />
      <MemoryHint report={report} />
    </div>
  );
}

/** The summary in one sentence; its space is kept while it loads. */
function Headline({ store }: { readonly store: Store }) {
  const text = store.headline.value;
  return text === '' ? null : (
    <p class="headline" aria-live="polite">
      {withSpaces(text ?? '')}
    </p>
  );
}

/** A card for each value type; a click shows it everywhere. */
function Cards({ store, report }: Props) {
  const { header, total } = report;
  const scope = scopeOf(store.url.value, store.meta.value);
  const run =
    (scope === 'recording' || scope === 'snapshots') && !hasFilters(store.url.value)
      ? shownRun(store.url.value, store.meta.value)
      : undefined;
  const notes = run === undefined ? {} : runNotes(run);
  const kinds = valueChoices(
    total.map((t) => t.value_type),
    scope,
    header.value_type,
  );
  const ordered = [...total].filter((t) => kinds.includes(t.value_type));
  return (
    <div class="cards" role="group" aria-label="Totals">
      {ordered.sort(scope === 'dumps' ? firstInUse : (a, b) => kinds.indexOf(a.value_type) - kinds.indexOf(b.value_type)).map((t) => (
        <button
          key={t.value_type}
          type="button"
          class="card"
          aria-pressed={t.value_type === header.value_type}
          title={`${formatExact(t.value, t.unit)}; click to show this in all views`}
          onClick={() => {
            store.go({ si: t.value_type });
          }}
        >
          <span class="card-label">{valueLabel(t.value_type, scope)}</span>
          <b>{formatValue(t.value, t.unit)}</b>
          <span class="card-note">
            {header.has_base ? (
              <>
                <Delta value={t.value} base={t.base} unit={t.unit} outputUnit="auto" samplingError={t.spread} /> since baseline
              </>
            ) : notes[t.value_type] !== undefined ? (
              notes[t.value_type]
            ) : t.value_type === header.value_type ? (
              shareShown(store, report)
            ) : (
              ' '
            )}
          </span>
        </button>
      ))}
      {header.has_base && (
        <div class="card">
          <span class="card-label">Growing</span>
          <b>
            {formatCount(report.n_grown)} of {formatCount(report.n_culprits)}
          </b>
          <span class="card-note">
            {report.n_grown > 0 && <Delta value={header.gross?.grown ?? 0} base={0} unit={header.unit} outputUnit={header.output_unit} />}{' '}
            {report.n_shrunk > 0 && <Delta value={header.gross?.shrunk ?? 0} base={0} unit={header.unit} outputUnit={header.output_unit} />}
            {(header.n_new > 0 || header.n_gone > 0) && ` ${formatCount(header.n_new)} new, ${formatCount(header.n_gone)} gone`}
          </span>
        </div>
      )}
    </div>
  );
}

/** Order of cards: in use before allocated, bytes before objects. */
function firstInUse(a: SummaryTotal, b: SummaryTotal): number {
  const rank = (t: SummaryTotal): number => (t.value_type.startsWith('alloc') ? 2 : 0) + (t.unit === 'count' ? 1 : 0);
  return rank(a) - rank(b);
}

/** Share of the dump that passes the filters; blank if the dump is empty. */
function shareShown(store: Store, { header }: SummaryReport): string {
  const dumps = shownOf(pairOf(store.url.value), store.meta.value?.dumps ?? []).split(',');
  if (dumps.length > 1) return `${plural(dumps.length, 'dump')} added: choose one above`;
  return formatHeapShare(header.value_total, header.total) || ' ';
}

/** Shown when nothing is in use: why, and a button that changes it. */
function Nothing({ store, report }: Props) {
  const other = report.total.find((t) => t.value !== 0 || t.base !== 0);
  const filtered = hasFilters(store.url.value);
  const scope = scopeOf(store.url.value, store.meta.value);
  return (
    <section class="summary-nothing" aria-label="Nothing in use">
      <h2>{filtered ? 'No stack passes these filters' : 'Nothing in use'}</h2>
      <p>
        {filtered
          ? 'The filters above exclude every sample.'
          : other === undefined
            ? 'The profile is empty: no sample has a number that is not zero.'
            : `${valueLabel(report.header.value_type, scope)} is zero for every stack: all allocated memory was freed.`}
      </p>
      {filtered ? (
        <button
          type="button"
          class="primary"
          onClick={() => {
            store.go(noFilters(store.url.value));
          }}
        >
          Remove all filters
        </button>
      ) : (
        other !== undefined && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              store.go({ si: other.value_type });
            }}
          >
            Show {valueLabel(other.value_type, scope)}
          </button>
        )
      )}
    </section>
  );
}

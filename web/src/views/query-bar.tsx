import type { Header } from '../api/types';
import { formatCount, formatPercent, formatValue, plural } from '../logic/format';
import { compilePattern } from '../logic/pattern';
import { param } from '../logic/view-url';
import type { Store } from '../state/store';
import { SearchBox } from '../ui/search-box';
import { Select } from '../ui/select';
import { Chips } from './chips';
import { Labels } from './labels';
import { ShowControl } from './show-control';

interface Props {
  readonly store: Store;
}

const GRANULARITIES = ['functions', 'filefunctions', 'files', 'lines', 'addresses', 'packages', 'modules', 'libraries'];
const GRANULARITY_LABELS: Readonly<Record<string, string>> = { filefunctions: 'functions in files' };

/** Search, filters in force, and what a row or box stands for. */
export function QueryBar({ store }: Props) {
  const url = store.url.value;
  const usual = url.view === 'flame' ? 'filefunctions' : 'functions';
  return (
    <div class="query-bar" role="search">
      <SearchBox
        value={param(url, 'q')}
        pattern={store.search.value}
        found={foundText(store)}
        onStep={store.search.value.kind === 'ok' && (store.found.value?.count ?? 0) > 0 ? store.found.value?.step : undefined}
        asked={store.searchAsked.value}
        begin={store.busy.begin}
        onType={(text) => {
          store.adjust({ q: text });
        }}
        onEnter={(text) => {
          if (text !== '' && compilePattern(text).kind === 'ok') store.go({ f: text, q: '', zoom: '' });
        }}
      />
      <Labels store={store} />
      <Chips store={store} />
      {url.view !== 'timeline' && <ShowControl store={store} />}
      <label class="check" title="Charge inlined code to the function that it was inlined into">
        <input
          type="checkbox"
          name="noinlines"
          checked={param(url, 'noinlines') !== 't'}
          onChange={(e) => {
            store.go({ noinlines: e.currentTarget.checked ? '' : 't' });
          }}
        />
        inlined
      </label>
      {url.view !== 'timeline' && (
        <Select
          name="g"
          label="What a row or box stands for"
          caption="by"
          value={param(url, 'g')}
          onChange={(v) => {
            store.go({ g: v, zoom: '' });
          }}
          options={[
            { value: '', label: GRANULARITY_LABELS[usual] ?? usual },
            ...GRANULARITIES.filter((g) => g !== usual).map((g) => ({ value: g, label: GRANULARITY_LABELS[g] ?? g })),
          ]}
        />
      )}
    </div>
  );
}

/** The search may find what is too small to be shown. */
function nothingShown(store: Store, header: Header): string {
  const held = store.matched.report.value?.header.value_total ?? 0;
  return held === 0 ? 'no match' : `matches are too small to be shown: ${formatValue(held, header.unit, header.output_unit)}`;
}

function foundText(store: Store): string {
  const found = store.found.value;
  const header = store.main.report.value?.header;
  if (store.search.value.kind !== 'ok' || found === undefined || header === undefined) return '';
  if (found.count === 0) return nothingShown(store, header);
  const all = plural(found.count, found.noun, found.noun === 'box' ? 'boxes' : `${found.noun}s`);
  const count = found.at === undefined || found.at < 0 ? all : `${formatCount(found.at + 1)} of ${all}`;
  const held = store.matched.report.value?.header.value_total ?? found.value;
  return held === undefined
    ? count
    : `${count} · ${formatValue(held, header.unit, header.output_unit)} · ${formatPercent(held, header.value_total)}`;
}

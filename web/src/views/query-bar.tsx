import { formatCount, formatPercent, formatValue, plural } from '../logic/format';
import { baseName } from '../logic/names';
import { readable } from '../logic/pattern';
import { param } from '../logic/view-url';
import type { Store } from '../state/store';
import { Chip } from '../ui/chip';
import { SearchBox } from '../ui/search-box';
import { Select } from '../ui/select';
import { FILTERS, NO_FILTERS } from './links';

interface Props {
  readonly store: Store;
}

const GRANULARITIES = ['functions', 'filefunctions', 'files', 'lines', 'addresses'];
const GRANULARITY_LABELS: Readonly<Record<string, string>> = { filefunctions: 'functions in files' };

/** Search, filters in force, and what a row or box stands for. */
export function QueryBar({ store }: Props) {
  const url = store.url.value;
  const broken = store.main.problem.value?.field ?? '';
  const dumps = store.meta.value?.dumps ?? [];
  const base = param(url, 'base');
  const usual = url.view === 'flame' ? 'filefunctions' : 'functions';
  const chips = FILTERS.flatMap(([alias, name]) => {
    const value = param(url, alias);
    return value === '' ? [] : [{ alias, name, value }];
  });
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
          if (text !== '') store.go({ f: text, q: '', zoom: '' });
        }}
      />
      <div class="chips">
        {chips.map(({ alias, name, value }) => (
          <Chip
            key={alias}
            field={name}
            text={readable(value)}
            full={value}
            broken={broken === name}
            onRemove={() => {
              store.go({ [alias]: '', zoom: '' });
            }}
          />
        ))}
        {base !== '' && (
          <Chip
            field="base"
            text={baseName(dumps[Number(base)]?.name ?? `dump ${base}`)}
            full={base}
            broken={broken === 'base'}
            onRemove={() => {
              store.go({ base: '' });
            }}
          />
        )}
        {chips.length > 1 && (
          <button
            type="button"
            class="link"
            onClick={() => {
              store.go({ ...NO_FILTERS, zoom: '' });
            }}
          >
            Remove all
          </button>
        )}
      </div>
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
    </div>
  );
}

function foundText(store: Store): string {
  const found = store.found.value;
  const header = store.main.report.value?.header;
  if (store.search.value.kind !== 'ok' || found === undefined || header === undefined) return '';
  if (found.count === 0) return 'no match';
  const all = plural(found.count, found.noun, found.noun === 'box' ? 'boxes' : `${found.noun}s`);
  const count = found.at === undefined || found.at < 0 ? all : `${formatCount(found.at + 1)} of ${all}`;
  const held = store.matched.report.value?.header.value_total ?? found.value;
  return held === undefined
    ? count
    : `${count} · ${formatValue(held, header.unit, header.output_unit)} · ${formatPercent(held, header.value_total)}`;
}

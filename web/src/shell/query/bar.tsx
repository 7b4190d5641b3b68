import type { Header } from '../../api/types';
import { formatCount, formatPercent, formatValue, plural } from '../../logic/text/format';
import { compilePattern } from '../../logic/names/pattern';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { SearchBox } from '../../ui/search-box';
import { Blocks } from './blocks';
import { Chips } from './chips';
import { Labels } from './labels';
import { ShowControl } from './show';

interface Props {
  readonly store: Store;
}

/** Search, active filters, and which frames are shown. */
export function QueryBar({ store }: Props) {
  const url = store.url.value;
  return (
    <div class="query-bar" role="search">
      <SearchBox
        value={param(url, 'q')}
        pattern={store.search.value}
        found={foundText(store)}
        onStep={store.search.value.kind === 'ok' && (store.found.value?.count ?? 0) > 0 ? store.found.value?.step : undefined}
        focusKey={store.searchFocusCount.value}
        begin={store.busy.begin}
        onType={(text) => {
          store.adjust({ q: text });
        }}
        enter={enterOf(store)}
        onEnter={(text) => {
          if (text === '' || compilePattern(text).kind !== 'ok') return;
          // A search among types is for types.
          store.go({ [url.view === 'types' ? 'type' : 'f']: text, q: '', zoom: '' });
        }}
      />
      <Labels store={store} />
      <Blocks store={store} />
      <Chips store={store} />
      {url.view !== 'timeline' && (
        <div class="frame-filter">
          <ShowControl store={store} />
        </div>
      )}
    </div>
  );
}

/** Text for no match in the view; stacks outside of it may match. */
function nothingShown(store: Store, header: Header): string {
  const matched = store.matched.report.value?.header.value_total ?? 0;
  return matched === 0 ? 'no match' : `no match in this view · ${formatValue(matched, header.unit, header.output_unit)} in matching stacks`;
}

/** Link to the matches in the flame graph; undefined if Enter has nothing to filter. */
function enterOf(store: Store): Parameters<typeof SearchBox>[0]['enter'] {
  if (store.search.value.kind !== 'ok' || store.found.value === undefined) return undefined;
  const matched = store.matched.report.value?.header.value_total ?? 0;
  if (store.found.value.count === 0 && matched === 0) return undefined;
  const go = (): void => {
    store.go({ zoom: '' }, 'flame');
  };
  return { flame: store.url.value.view === 'flame' ? undefined : { href: store.href({ zoom: '' }, 'flame'), go } };
}

function foundText(store: Store): string {
  const found = store.found.value;
  const header = store.main.report.value?.header;
  if (store.search.value.kind !== 'ok' || found === undefined || header === undefined) return '';
  if (found.count === 0) return nothingShown(store, header);
  const nouns = (n: number): string => plural(n, found.noun, found.noun === 'box' ? 'boxes' : `${found.noun}s`);
  const all = found.of === undefined ? nouns(found.count) : `${formatCount(found.count)} of ${nouns(found.of)}`;
  const count = found.at === undefined || found.at < 0 ? all : `${formatCount(found.at + 1)} of ${all}`;
  // The types view counts its own matches; stacks through functions of that name would be another number.
  const matched = store.url.value.view === 'types' ? found.value : (store.matched.report.value?.header.value_total ?? found.value);
  return matched === undefined
    ? count
    : `${count} · ${formatValue(matched, header.unit, header.output_unit)} · ${formatPercent(matched, header.value_total)}`;
}

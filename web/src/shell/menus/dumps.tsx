import type { DumpMeta } from '../../api/types';
import {
  nameOf,
  pairOf,
  patchOf,
  placeOf,
  processes,
  shownOf,
  swapped,
  takenAt,
  usualName,
  withBase,
  withShown,
  type Pair,
} from '../../logic/dumps';
import { formatTime, formatValue, plural } from '../../logic/text/format';
import { baseName } from '../../logic/names/names';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { PopoverButton } from '../../ui/popover/button';
import { FilePicker } from '../opening/files';

interface Props {
  readonly store: Store;
}

/** The dump that is shown and the one it is compared with, and a popover to choose both. */
export function Dumps({ store }: Props) {
  const meta = store.meta.value;
  const dumps = meta?.dumps ?? [];
  const pair = pairOf(store.url.value);
  // Nothing to choose from, and nothing can be opened.
  if (dumps.length < 2 && meta?.may_open !== true) return null;
  const numbers = shownOf(pair, dumps);
  const place = placeOf(Number(numbers || 'x'), dumps).replace(' of ', '/');
  const shown = `${nameOf(numbers, dumps, baseName)}${place === '' ? '' : ` (${place})`}`;
  const against = pair.base === '' ? '' : nameOf(pair.base, dumps, baseName);
  const text = (
    <>
      {(dumps.length > 1 || against !== '') && <span class="dumps-shown">{shown}</span>}
      {against === '' ? <span class="dumps-compare">Compare…</span> : <span class="dumps-against">vs {against}</span>}
    </>
  );
  return (
    <PopoverButton
      class="dumps"
      buttonClass="dumps-button"
      name="dumps"
      title={against === '' ? `Shown: ${shown}` : `Shown: ${shown}, compared with ${against}`}
      text={text}
    >
      {() => <Compare store={store} dumps={dumps} pair={pair} />}
    </PopoverButton>
  );
}

interface PairProps extends Props {
  readonly dumps: readonly DumpMeta[];
  readonly pair: Pair;
}

function Compare({ store, dumps, pair }: PairProps) {
  const meta = store.meta.value;
  const mayOpen = meta?.may_open === true;
  const nThinned = dumps.filter((dump) => dump.is_thinned === true).length;
  const choose = (next: Pair): void => {
    store.go(patchOf(store.url.peek(), next));
  };
  return (
    <div class="dumps-box" role="group" aria-label="Compare dumps">
      <DumpPair store={store} dumps={dumps} pair={pair} onChoose={choose} />
      <div class="dumps-ways">
        <button
          type="button"
          disabled={pair.base === ''}
          onClick={() => {
            choose(swapped(pair, dumps));
          }}
        >
          Swap
        </button>
        <button
          type="button"
          name="clear-comparison"
          disabled={pair.base === ''}
          onClick={() => {
            choose(withBase(pair, '', dumps));
          }}
        >
          Clear comparison
        </button>
        {mayOpen && <FilePicker store={store} purpose="base" label="Open file…" />}
      </div>
      {mayOpen && <p class="dumps-note">Or drop a dump here to compare with it.</p>}
      {nThinned > 0 && <p class="dumps-note">{plural(nThinned, 'older dump')} removed by -watch to save memory</p>}
    </div>
  );
}

function DumpPair({ store, dumps, pair, onChoose }: PairProps & { readonly onChoose: (next: Pair) => void }) {
  const meta = store.meta.value;
  const types = meta?.value_types ?? [];
  const kind = param(store.url.value, 'si') || (meta?.default_value_type ?? '');
  const at = Math.max(
    0,
    types.findIndex((t) => t.kind === kind),
  );
  const total = (sums: readonly number[]): string => formatValue(sums[at] ?? 0, types[at]?.unit ?? '');
  return (
    <div class="dumps-pair">
      <DumpSelect
        name="shown"
        caption="Compare"
        label="Current dump"
        value={pair.shown}
        none={usualName(dumps)}
        dumps={dumps}
        total={total}
        onChoose={(shown) => {
          onChoose(withShown(pair, shown));
        }}
      />
      <DumpSelect
        name="base"
        caption="with"
        label="Baseline"
        value={pair.base}
        none="no baseline"
        dumps={dumps}
        total={total}
        onChoose={(base) => {
          onChoose(withBase(pair, base, dumps));
        }}
      />
    </div>
  );
}

interface SelectProps {
  readonly name: string;
  readonly caption: string;
  readonly label: string;
  readonly value: string;
  /** Label of an empty value. */
  readonly none: string;
  readonly dumps: readonly DumpMeta[];
  readonly total: (sums: readonly number[]) => string;
  readonly onChoose: (number: string) => void;
}

function groupName(series: string, dumps: readonly DumpMeta[]): string {
  const isRecording = dumps.some((dump) => dump.series === series && dump.moment !== undefined);
  if (isRecording) return `moments of ${baseName(series)}`;
  return series === '' ? (dumps.some((dump) => dump.moment !== undefined) ? 'recordings and other dumps' : 'other dumps') : series;
}

/** All dumps, grouped by process where there are several. */
function DumpSelect({ name, caption, label, value, none, dumps, total, onChoose }: SelectProps) {
  const all = processes(dumps);
  const option = (i: number) => {
    const dump = dumps[i];
    if (dump === undefined) return null;
    const notes = [formatTime(takenAt(dump)), total(dump.totals)].filter((note) => note !== '');
    return (
      <option key={i} value={String(i)}>
        {[baseName(dump.name), ...notes].join(' · ')}
      </option>
    );
  };
  const isKnown = value === '' || (dumps[Number(value)] !== undefined && dumps[Number(value)]?.is_thinned !== true);
  return (
    <label class="select">
      <span class="select-caption">{caption}</span>
      <select
        name={name}
        aria-label={label}
        value={value}
        onChange={(e) => {
          onChoose(e.currentTarget.value);
        }}
      >
        <option value="">{none}</option>
        {all.length > 1
          ? all.map((process) => (
              <optgroup key={process.series} label={groupName(process.series, dumps)}>
                {process.dumps.map(option)}
              </optgroup>
            ))
          : all[0]?.dumps.map(option)}
        {!isKnown && <option value={value}>{nameOf(value, dumps, baseName)}</option>}
      </select>
    </label>
  );
}

import { useSignal } from '@preact/signals';
import type { Header, TagKey } from '../../api/types';
import { isChosen, rangeLabel, toggleFacet, type FacetValue, type Join } from '../../logic/labels/label-filters';
import { formatCount, formatDelta, formatPercent, formatValue } from '../../logic/text/format';
import { threadKey } from '../../logic/labels/threads';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { PopoverButton } from '../../ui/popover/button';

interface Props {
  readonly store: Store;
}

/** Values of labels to filter by, in a panel below its button. */
export function Labels({ store }: Props) {
  const keys = store.meta.value?.label_keys ?? [];
  return (
    <PopoverButton class="labels" name="labels" text={threadKey(keys) === '' ? 'Labels' : 'Threads'} align="start" open={store.labelsOpen}>
      {() => (keys.length === 0 ? <NoLabels /> : <Panel store={store} />)}
    </PopoverButton>
  );
}

function NoLabels() {
  return (
    <div class="labels-panel" role="dialog" aria-label="Filter by labels">
      <p class="labels-none">
        <b>No labels in this profile.</b> jemalloc dumps have the thread of each allocation as a label, Go profiles have the labels that the
        program sets with <code>pprof.Do</code>. Dumps by gperftools have none.
      </p>
    </div>
  );
}

function Panel({ store }: Props) {
  const wanted = useSignal('');
  const report = store.labels.report.value;
  const word = wanted.value.toLowerCase();
  return (
    <div class="labels-panel" role="dialog" aria-label="Filter by labels">
      <input
        type="text"
        class="labels-find"
        aria-label="Find labels"
        placeholder="Find labels…"
        spellcheck={false}
        value={wanted.value}
        onInput={(e) => {
          wanted.value = e.currentTarget.value;
        }}
      />
      <p class="hint">Click to include, − or Alt-click to exclude</p>
      {report === undefined && <p class="hint">Adding up…</p>}
      {inOrder(report?.tag ?? []).map((tag) =>
        tag.key === SIZES && (report?.tag.length ?? 0) > 1 && word === '' ? (
          <details key={tag.key} class="labels-sizes">
            <summary>Object sizes</summary>
            <Key store={store} tag={tag} word={word} />
          </details>
        ) : (
          <Key key={tag.key} store={store} tag={tag} word={word} />
        ),
      )}
    </div>
  );
}

/** Label of object sizes, which the Sizes view shows better. */
const SIZES = 'bytes';

/** Threads first, sizes last. */
function inOrder(tags: readonly TagKey[]): readonly TagKey[] {
  const thread = threadKey(tags.map(({ key }) => key));
  const rank = ({ key }: TagKey): number => (key === thread ? 0 : key === SIZES ? 2 : 1);
  return [...tags].sort((a, b) => rank(a) - rank(b));
}

interface Entry {
  readonly facet: FacetValue;
  readonly label: string;
  readonly value: number;
  readonly base: number;
}

const MOST = 60;

function entriesOf(tag: TagKey): readonly Entry[] {
  const ranges = tag.range.map((r) => ({
    facet: { key: tag.key, range: r.filter },
    label: rangeLabel(r.filter),
    value: r.value,
    base: r.base,
  }));
  const texts = tag.values
    .filter((v) => v.numbers.length === 0)
    .map((v) => ({ facet: { key: tag.key, text: v.name }, label: v.name, value: v.value, base: v.base }));
  return [...ranges, ...texts];
}

function Key({ store, tag, word }: Props & { readonly tag: TagKey; readonly word: string }) {
  const url = store.url.value;
  const header = store.labels.report.value?.header;
  const isNamed = ({ facet }: Entry): boolean => isChosen(param(url, 'tf'), 'and', facet) || isChosen(param(url, 'ti'), 'or', facet);
  const all = entriesOf(tag).filter((e) => e.value !== 0 || e.base !== 0 || isNamed(e));
  const found = word === '' || tag.key.toLowerCase().includes(word) ? all : all.filter((e) => e.label.toLowerCase().includes(word));
  if (found.length === 0 || header === undefined) return null;
  const largest = all.reduce((most, e) => Math.max(most, Math.abs(e.value)), 1);
  const roots = param(url, 'tagroot').split(',').filter(Boolean);
  const grouped = roots.includes(tag.key);
  return (
    <section class="labels-key" aria-label={`Label ${tag.key}`}>
      <div class="labels-head">
        <h2>
          <bdi>{tag.key}</bdi>
        </h2>
        <label class="check" title="Group stacks by this label: its values become the outermost frames">
          <input
            type="checkbox"
            checked={grouped}
            onChange={() => {
              store.go({ tagroot: (grouped ? roots.filter((r) => r !== tag.key) : [...roots, tag.key]).join(','), zoom: '' });
            }}
          />
          group by
        </label>
      </div>
      <ul>
        {found.slice(0, MOST).map((entry) => (
          <LabelRow key={entry.label} store={store} header={header} name={tag.key} entry={entry} largest={largest} />
        ))}
      </ul>
      {found.length > MOST && <p class="hint">and {formatCount(found.length - MOST)} more: type above to find them</p>}
    </section>
  );
}

interface RowProps extends Props {
  readonly header: Header;
  /** Key of the label. */
  readonly name: string;
  readonly entry: Entry;
  /** Largest value of the label. */
  readonly largest: number;
}

function LabelRow({ store, header, name, entry: { facet, label, value, base }, largest }: RowProps) {
  const url = store.url.value;
  const kept = isChosen(param(url, 'tf'), 'and', facet);
  const dropped = isChosen(param(url, 'ti'), 'or', facet);
  return (
    <li class={kept ? 'label-row on' : dropped ? 'label-row off' : 'label-row'}>
      <button
        type="button"
        class="label-value"
        data-label={`${name}:${label}`}
        aria-pressed={kept}
        title={label}
        onClick={(e) => {
          apply(store, facet, e.altKey ? 'or' : 'and');
        }}
      >
        <span class="label-bar" aria-hidden="true">
          <i style={{ width: `${(Math.abs(value) / largest) * 100}%` }} />
        </span>
        <bdi class="mono label-name">{label === '' ? '(empty)' : label}</bdi>
        <span>{formatValue(value, header.unit, header.output_unit)}</span>
        <span class="muted">
          {header.has_base ? formatDelta(value - base, header.unit, header.output_unit) : formatPercent(value, header.total)}
        </span>
      </button>
      <button
        type="button"
        class="label-drop"
        aria-pressed={dropped}
        aria-label={`Exclude ${name} ${label}`}
        title="Exclude"
        onClick={() => {
          apply(store, facet, 'or');
        }}
      >
        −
      </button>
    </li>
  );
}

/** Includes or excludes a value, or removes that filter. */
function apply(store: Store, facet: FacetValue, join: Join): void {
  const url = store.url.value;
  const alias = join === 'and' ? 'tf' : 'ti';
  const other = join === 'and' ? 'ti' : 'tf';
  const otherJoin = join === 'and' ? 'or' : 'and';
  const old = param(url, other);
  // A value both kept and dropped would match no stack.
  const rest = isChosen(old, otherJoin, facet) ? toggleFacet(old, otherJoin, facet) : old;
  store.go({ [alias]: toggleFacet(param(url, alias), join, facet), [other]: rest, zoom: '' });
}

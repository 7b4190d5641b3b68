import { scopeOf, valueChoices, valueLabel } from '../../logic/recording';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Select } from '../../ui/select';
import { PopoverButton } from '../../ui/popover/button';

interface Props {
  readonly store: Store;
}

const UNITS = [
  ['', 'auto'],
  ['B', 'B'],
  ['kB', 'KiB'],
  ['MB', 'MiB'],
  ['GB', 'GiB'],
].map(([value = '', label = '']) => ({ value, label }));

const GRANULARITIES = ['functions', 'filefunctions', 'files', 'lines', 'addresses', 'packages', 'modules', 'libraries'];
const GRANULARITY_LABELS: Readonly<Record<string, string>> = { filefunctions: 'functions in files' };

/** Value type, granularity and units: side by side, or below a button where there is no space; the value type moves there last. */
export function ViewOptions({ store }: Props) {
  const { isWide, isNarrow } = store.width;
  const value = <ValueType store={store} />;
  const others = (
    <>
      <Granularity store={store} />
      <Unit store={store} />
      <Inlined store={store} />
      <Recursion store={store} />
    </>
  );
  return (
    <div class="view-options" role="group" aria-label="View options">
      {!isNarrow.value && value}
      {isWide.value ? (
        others
      ) : (
        <PopoverButton buttonClass="view-options-button" name="view-options" text="View ▾">
          {() => (
            <div class="view-options-list">
              {isNarrow.value && value}
              {others}
            </div>
          )}
        </PopoverButton>
      )}
    </div>
  );
}

function shownType(store: Store): string {
  const meta = store.meta.value;
  return store.main.report.value?.header.value_type || param(store.url.value, 'si') || (meta?.default_value_type ?? '');
}

function ValueType({ store }: Props) {
  const meta = store.meta.value;
  const scope = scopeOf(store.url.value, meta);
  const shown = param(store.url.value, 'si') || meta?.default_value_type || shownType(store);
  const kinds = (meta?.value_types ?? []).map(({ kind }) => kind);
  const types = valueChoices(kinds, scope, shown).map((kind) => ({ value: kind, label: valueLabel(kind, scope) }));
  if (types.length === 0) return null;
  return (
    <Select
      name="si"
      label="Value type"
      caption="Value"
      value={shown}
      options={types}
      onChange={(v) => {
        store.go({ si: v === meta?.default_value_type ? '' : v });
      }}
    />
  );
}

function Granularity({ store }: Props) {
  const url = store.url.value;
  if (url.view === 'timeline') return null;
  const usual = url.view === 'flame' ? 'filefunctions' : 'functions';
  return (
    <Select
      name="g"
      label="Granularity of rows and frames"
      caption="By"
      value={param(url, 'g')}
      onChange={(v) => {
        store.go({ g: v, zoom: '' });
      }}
      options={[
        { value: '', label: GRANULARITY_LABELS[usual] ?? usual },
        ...GRANULARITIES.filter((g) => g !== usual).map((g) => ({ value: g, label: GRANULARITY_LABELS[g] ?? g })),
      ]}
    />
  );
}

function Unit({ store }: Props) {
  const unit = store.meta.value?.value_types.find((v) => v.kind === shownType(store))?.unit ?? 'bytes';
  if (!/bytes?|[km]b/i.test(unit)) return null;
  return (
    <Select
      name="unit"
      label="Unit"
      caption="Unit"
      value={param(store.url.value, 'unit')}
      options={UNITS}
      onChange={(v) => {
        store.go({ unit: v });
      }}
    />
  );
}

/** Views that draw stacks: elsewhere a function counts once anyway. */
const WITH_RECURSION: readonly string[] = ['flame', 'tree'];

function Recursion({ store }: Props) {
  const url = store.url.value;
  if (!WITH_RECURSION.includes(url.view)) return null;
  return (
    <label class="check" title="Show each call of a function by itself; off: one frame for a function that calls itself directly">
      <input
        type="checkbox"
        name="collapse_recursion"
        checked={param(url, 'collapse_recursion') !== 't'}
        onChange={(e) => {
          store.go({ collapse_recursion: e.currentTarget.checked ? '' : 't', zoom: '' });
        }}
      />
      Recursion
    </label>
  );
}

function Inlined({ store }: Props) {
  return (
    <label class="check" title="Show inlined functions as frames of their own; off: charge them to their callers">
      <input
        type="checkbox"
        name="noinlines"
        checked={param(store.url.value, 'noinlines') !== 't'}
        onChange={(e) => {
          store.go({ noinlines: e.currentTarget.checked ? '' : 't' });
        }}
      />
      Inlined frames
    </label>
  );
}

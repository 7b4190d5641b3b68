import { useState } from 'preact/hooks';
import { valueTypeLabel } from '../../logic/text/format';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Select } from '../../ui/select';
import { usePopover } from '../../ui/popover/use-popover';

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

/**
 * Granularity and units: side by side, or below a button where there is no space. The value type
 * stays beside the button as long as it can, so that nothing moves when the others open (controls.css).
 */
export function ViewOptions({ store }: Props) {
  const [open, setOpen] = useState(false);
  const { box, onKeyDown } = usePopover(open, () => {
    setOpen(false);
  });
  return (
    <div class="view-options" ref={box} onKeyDown={onKeyDown}>
      <div class={open ? 'view-options-all open' : 'view-options-all'} id="view-options" role="group" aria-label="View options">
        <ValueType store={store} />
        <div class={open ? 'view-options-list opened' : 'view-options-list'}>
          <Granularity store={store} />
          <Unit store={store} />
          <Inlined store={store} />
        </div>
      </div>
      <button
        type="button"
        class="view-options-button"
        name="view-options"
        aria-expanded={open}
        aria-controls="view-options"
        onClick={() => {
          setOpen(!open);
        }}
      >
        View ▾
      </button>
    </div>
  );
}

function shownType(store: Store): string {
  const meta = store.meta.value;
  return store.main.report.value?.header.value_type || param(store.url.value, 'si') || (meta?.default_value_type ?? '');
}

function ValueType({ store }: Props) {
  const meta = store.meta.value;
  const types = (meta?.value_types ?? []).map(({ kind }) => ({ value: kind, label: valueTypeLabel(kind) }));
  if (types.length === 0) return null;
  return (
    <Select
      name="si"
      label="Value type"
      caption="Value"
      value={param(store.url.value, 'si') || meta?.default_value_type || shownType(store)}
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

import { valueTypeLabel } from '../logic/format';
import { baseName } from '../logic/names';
import { param, VIEW_LABELS, VIEWS } from '../logic/view-url';
import type { Store } from '../state/store';
import { Select } from '../ui/select';
import { viewHrefPatch } from './links';

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

/** Views, and which numbers they show. */
export function Toolbar({ store }: Props) {
  const url = store.url.value;
  const meta = store.meta.value;
  const types = (meta?.value_types ?? []).map(({ kind }) => ({ value: kind, label: valueTypeLabel(kind) }));
  const shownType = store.main.report.value?.header.value_type ?? '';
  const type = param(url, 'si') || meta?.default_value_type || shownType;
  const unit = meta?.value_types.find((v) => v.kind === (shownType || type))?.unit ?? 'bytes';
  return (
    <nav class="toolbar" aria-label="Views">
      <div class="tabs">
        {VIEWS.map((view, i) => (
          <a
            key={view}
            href={store.href(viewHrefPatch(store, view), view)}
            class={view === url.view ? 'tab on' : 'tab'}
            title={`${VIEW_LABELS[view]} (${i + 1})`}
            aria-current={view === url.view ? 'page' : undefined}
            data-view={view}
            onClick={(e) => {
              if (!(e.ctrlKey || e.metaKey || e.shiftKey)) {
                e.preventDefault();
                store.go(viewHrefPatch(store, view), view);
              }
            }}
          >
            {VIEW_LABELS[view]}
          </a>
        ))}
      </div>
      <Dumps store={store} />
      {types.length > 0 && (
        <Select
          name="si"
          label="Value type"
          value={type}
          options={types}
          onChange={(v) => {
            store.go({ si: v === meta?.default_value_type ? '' : v });
          }}
        />
      )}
      {/bytes?|[km]b/i.test(unit) && (
        <Select
          name="unit"
          label="Unit"
          caption="unit"
          value={param(url, 'unit')}
          options={UNITS}
          onChange={(v) => {
            store.go({ unit: v });
          }}
        />
      )}
    </nav>
  );
}

/** Which dump, and since which: only where there are several. */
function Dumps({ store }: Props) {
  const dumps = store.meta.value?.dumps ?? [];
  if (dumps.length < 2) return null;
  const url = store.url.value;
  const names = dumps.map(({ name, is_base: isBase }, i) => ({
    value: String(i),
    label: `${i + 1} · ${baseName(name)}${isBase ? ' (base)' : ''}`,
  }));
  const base = param(url, 'base');
  return (
    <>
      <Select
        name="dump"
        label="Dump"
        caption="dump"
        value={param(url, 'dump')}
        onChange={(v) => {
          store.go({ dump: v });
        }}
        options={[{ value: '', label: base === '' ? 'all, added' : 'all others, added' }, ...names]}
      />
      <Select
        name="base"
        label="Base: compare with"
        caption="since"
        value={base}
        onChange={(v) => {
          store.go(baseChange(url, v, dumps.length));
        }}
        options={[{ value: '', label: 'no base' }, ...names]}
      />
    </>
  );
}

/** A base alone would be compared with the sum of all other dumps: take the last one instead. */
function baseChange(url: Parameters<typeof param>[0], base: string, nDumps: number): Readonly<Record<string, string>> {
  const dump = param(url, 'dump');
  if (base === '' || (dump !== '' && dump !== base)) return { base };
  const last = String(nDumps - 1);
  return { base, dump: last === base ? String(nDumps - 2) : last };
}

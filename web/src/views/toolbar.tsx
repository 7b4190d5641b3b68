import { valueTypeLabel } from '../logic/format';
import { param, TABS, VIEW_LABELS, viewKey } from '../logic/view-url';
import type { Store } from '../state/store';
import { Select } from '../ui/select';
import { Dumps } from './dumps';
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
        {TABS.map((view) => (
          <a
            key={view}
            href={store.href(viewHrefPatch(store, view), view)}
            class={view === url.view ? 'tab on' : 'tab'}
            title={`${VIEW_LABELS[view]} (${viewKey(view)})`}
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

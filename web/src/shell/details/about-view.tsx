import { formatExact, formatValue } from '../../logic/text/format';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';
import { Icon } from '../../ui/icons';
import { togglePanel } from './panel';

interface Props {
  readonly store: Store;
}

/** Closes the panel until the user opens it again. */
export function HidePanel({ store }: Props) {
  return (
    <button
      type="button"
      class="quiet"
      name="hide-panel"
      aria-label="Hide details"
      title="Hide details (])"
      onClick={() => {
        togglePanel(store);
      }}
    >
      <Icon name="panel" />
    </button>
  );
}

/** Totals and facts of the view, while no function is selected. */
export function AboutView({ store }: Props) {
  const header = store.main.report.value?.header;
  return (
    <aside class="details" id="details" aria-label="About this view">
      <div class="details-head">
        <h2>About this view</h2>
        <HidePanel store={store} />
      </div>
      <p class="muted">Select a function to see its size, callers and callees.</p>
      {header !== undefined && (
        <dl class="facts">
          <dt>Type</dt>
          <dd>{header.value_type}</dd>
          {!header.has_base && (
            <>
              <dt>Total</dt>
              <dd title={formatExact(header.total, header.unit)}>{formatValue(header.total, header.unit, header.output_unit)}</dd>
            </>
          )}
          {header.has_base && (
            <>
              <dt>Current</dt>
              <dd>{formatValue(header.value_total, header.unit, header.output_unit)}</dd>
              <dt>Baseline</dt>
              <dd>{formatValue(header.base_total, header.unit, header.output_unit)}</dd>
              <dt>Difference</dt>
              <dd>
                <Delta value={header.value_total} base={header.base_total} unit={header.unit} outputUnit={header.output_unit} />
              </dd>
            </>
          )}
          {header.build_id !== '' && (
            <>
              <dt>Build id</dt>
              <dd class="mono break">{header.build_id}</dd>
            </>
          )}
          {header.comments.map((c) => (
            <>
              <dt>Comment</dt>
              <dd class="break">{c}</dd>
            </>
          ))}
        </dl>
      )}
    </aside>
  );
}

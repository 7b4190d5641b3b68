import { presetsOf, thresholdOf, withPreset, type Preset } from '../../logic/blocks/presets';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { PopoverButton } from '../../ui/popover/button';

interface Props {
  readonly store: Store;
}

/** Presets that filter stacks by their blocks, for profiles with lifetimes or accesses. */
export function Blocks({ store }: Props) {
  const presets = presetsOf(store.meta.value);
  if (presets.length === 0) return null;
  return (
    <PopoverButton
      class="labels"
      name="blocks"
      text="Blocks"
      align="start"
      haspopup="dialog"
      title="Filter stacks by size, lifetime and use of their blocks"
    >
      {() => (
        <div class="labels-panel" role="dialog" aria-label="Filter by blocks">
          <p class="hint">Only stacks whose blocks are, on average…</p>
          {presets.map((preset) => (
            <PresetRow key={preset.key} store={store} preset={preset} />
          ))}
        </div>
      )}
    </PopoverButton>
  );
}

function PresetRow({ store, preset }: Props & { readonly preset: Preset }) {
  const where = param(store.url.value, 'where');
  const threshold = thresholdOf(preset, where);
  const set = (to: string | undefined): void => {
    store.go({ where: withPreset(preset, where, to), zoom: '' });
  };
  const usual = preset.threshold === undefined ? '' : String(preset.threshold);
  return (
    <div class="preset">
      <label class="check">
        <input
          type="checkbox"
          name={`preset-${preset.key}`}
          checked={threshold !== undefined}
          onChange={(e) => {
            set(e.currentTarget.checked ? usual : undefined);
          }}
        />
        {preset.label}
      </label>
      {preset.threshold !== undefined && (
        <label class="preset-threshold hint">
          {preset.quantity}{' '}
          <input
            type="number"
            min="0"
            step="any"
            name={`threshold-${preset.key}`}
            aria-label={`${preset.label}: ${preset.quantity}`}
            value={threshold ?? usual}
            onChange={(e) => {
              const { value } = e.currentTarget;
              if (/^[0-9]*\.?[0-9]+$/.test(value)) set(value);
            }}
          />{' '}
          {preset.unit}
        </label>
      )}
    </div>
  );
}

import type { RootedFlame } from '../../logic/flame/callers';
import { COLOR_BY, type ColorBy } from '../../logic/flame/colors';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Segmented, Select } from '../../ui/select';
import { TableLink } from '../shared/table-link';

interface Props {
  readonly store: Store;
  readonly report: RootedFlame;
  readonly by: ColorBy;
  /** Callers and callees of the selected function, or of the heaviest one. */
  readonly onAround: () => void;
}

const AROUND = 'around';
const DIRECTIONS = [
  { value: '', label: 'Top-down' },
  { value: 't', label: 'Bottom-up' },
  { value: AROUND, label: 'Callers & callees' },
];
const SCALES = [
  { value: '', label: 'both' },
  { value: 'value', label: 'after' },
  { value: 'base', label: 'before' },
];
const COLORS = COLOR_BY.map((by) => ({ value: by, label: by }));

/** Controls of the flame graph: direction, colours, scale, the table beside it. */
export function FlameBar({ store, report, by, onAround }: Props) {
  const url = store.url.value;
  const { has_base: hasBase } = report.header;
  const isSplit = param(url, 'split') === 't';
  return (
    <div class="view-bar flame-bar">
      <Segmented
        name="inverted"
        label="Direction"
        value={param(url, AROUND) === '' ? (report.inverted ? 't' : '') : AROUND}
        options={DIRECTIONS}
        onChange={(v) => {
          if (v === AROUND) onAround();
          else store.go({ inverted: v, around: '', zoom: '' });
        }}
      />
      <button
        type="button"
        class={isSplit ? 'small toggle on' : 'small toggle'}
        name="split"
        aria-pressed={isSplit}
        title="Show the table of functions beside the flame graph"
        onClick={() => {
          store.go({ split: isSplit ? '' : 't' });
        }}
      >
        Split view
      </button>
      {hasBase ? (
        <span class="pair">
          scale:
          <Segmented
            name="scale"
            label="Scale: what gives boxes their width"
            value={param(url, 'scale')}
            options={SCALES}
            onChange={(v) => {
              store.go({ scale: v });
            }}
          />
        </span>
      ) : (
        <Select
          name="color"
          label="Colour by"
          caption="colour by"
          value={by}
          options={COLORS}
          onChange={(v) => {
            store.go({ color: v === 'package' ? '' : v });
          }}
        />
      )}
      <span class="gap" />
      <TableLink store={store} patch={{ zoom: '' }} view="tree" />
    </div>
  );
}

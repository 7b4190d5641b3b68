import type { GraphReport } from '../../api/types';
import { formatCount, formatValue, plural } from '../../logic/text/format';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Icon } from '../../ui/icons';
import { Select } from '../../ui/select';
import { TableLink } from '../shared/table-link';

interface Props {
  readonly store: Store;
  readonly report: GraphReport;
  /** Progress of the layout as text; empty when idle. */
  readonly working: string;
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
}

export const ZOOM_STEP = 1.3;
const COUNTS = [10, 20, 40, 60, 80, 120, 200, 400] as const;
const USUAL = 80;
const FRACTIONS = [
  { value: '0', label: 'all' },
  { value: '', label: '≥ 0.1%' },
  { value: '0.005', label: '≥ 0.5%' },
  { value: '0.01', label: '≥ 1%' },
  { value: '0.05', label: '≥ 5%' },
];

/** Controls above the graph: number of nodes, counts of hidden ones, zoom, link to the table. */
export function GraphBar({ store, report, working, onZoom, onFit }: Props) {
  const fraction = param(store.url.value, 'ef');
  const known = FRACTIONS.some(({ value }) => value === fraction);
  return (
    <div class="view-bar">
      <NodeCount store={store} report={report} />
      <Select
        name="ef"
        label="Smallest call drawn"
        caption="calls"
        value={fraction}
        options={known ? FRACTIONS : [...FRACTIONS, { value: fraction, label: `≥ ${Number(fraction) * 100}%` }]}
        onChange={(v) => {
          store.go({ ef: v });
        }}
      />
      <Left report={report} />
      <span class="gap" />
      {working !== '' && (
        <span class="hint" role="status">
          {working}
        </span>
      )}
      <span class="graph-zoom">
        <button
          type="button"
          class="quiet"
          aria-label="Zoom in"
          title="Zoom in (+)"
          onClick={() => {
            onZoom(ZOOM_STEP);
          }}
        >
          <Icon name="plus" />
        </button>
        <button
          type="button"
          class="quiet"
          aria-label="Zoom out"
          title="Zoom out (−)"
          onClick={() => {
            onZoom(1 / ZOOM_STEP);
          }}
        >
          <Icon name="minus" />
        </button>
        <button type="button" class="quiet" aria-label="Fit" title="Fit (0)" onClick={onFit}>
          <Icon name="fit" />
        </button>
      </span>
      <TableLink store={store} patch={{ n: '' }} view="top" />
    </div>
  );
}

function NodeCount({ store }: Pick<Props, 'store' | 'report'>) {
  const n = Number(param(store.url.value, 'n') || USUAL);
  const at = COUNTS.findIndex((c) => c >= (n > 0 ? n : Infinity));
  return (
    <label class="slider" title={`At most ${n > 0 ? n : 'all'} functions`}>
      nodes
      <input
        type="range"
        name="n"
        min={0}
        max={COUNTS.length - 1}
        step={1}
        value={at < 0 ? COUNTS.length - 1 : at}
        aria-valuetext={`at most ${n} nodes`}
        onChange={(e) => {
          const count = COUNTS[Number(e.currentTarget.value)] ?? USUAL;
          store.go({ n: count === USUAL ? '' : String(count) });
        }}
      />
    </label>
  );
}

/** Counts of what is drawn and what is hidden. */
function Left({ report }: Pick<Props, 'report'>) {
  const { header } = report;
  const hidden = header.n_total - report.row.length;
  const left = [
    hidden > 0 ? `${formatCount(hidden)} more nodes hidden` : '',
    header.dropped_nodes > 0
      ? `${formatCount(header.dropped_nodes)} under ${formatValue(header.node_cutoff, header.unit, header.output_unit)} hidden`
      : '',
    header.dropped_edges > 0
      ? `${formatCount(header.dropped_edges)} calls under ${formatValue(header.edge_cutoff, header.unit, header.output_unit)}`
      : '',
  ].filter((part) => part !== '');
  return (
    <span class="hint" title={left.join(' · ')}>
      {[`${plural(report.row.length, 'node')}, ${plural(report.edges.from.length, 'call')}`, ...left].join(' · ')}
    </span>
  );
}

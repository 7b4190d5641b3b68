import type { FlameReport } from '../api/types';
import { get } from '../logic/flame-layout';
import { displayName, functionOf } from '../logic/names';
import { param } from '../logic/view-url';
import type { Store } from '../state/store';
import { Segmented } from '../ui/select';

interface Props {
  readonly store: Store;
  readonly report: FlameReport;
}

const DIRECTIONS = [
  { value: '', label: 'Top-down' },
  { value: 't', label: 'Bottom-up' },
];
const SCALES = [
  { value: '', label: 'both' },
  { value: 'value', label: 'now' },
  { value: 'base', label: 'base' },
];

/** Above the flame graph: from which end, how wide boxes are, what it is zoomed into. */
export function FlameBar({ store, report }: Props) {
  const url = store.url.value;
  const { header } = report;
  return (
    <div class="view-bar">
      <Segmented
        name="inverted"
        label="Direction"
        value={report.inverted ? 't' : ''}
        options={DIRECTIONS}
        onChange={(v) => {
          store.go({ inverted: v, zoom: '' });
        }}
      />
      {header.has_base && (
        <span class="pair">
          width:
          <Segmented
            name="scale"
            label="Width of boxes"
            value={param(url, 'scale')}
            options={SCALES}
            onChange={(v) => {
              store.go({ scale: v });
            }}
          />
        </span>
      )}
      <Crumbs store={store} report={report} />
      <span class="gap" />
      {header.has_base && <DiffLegend />}
      <a
        class="quiet-link"
        href={store.href({ zoom: '' }, 'tree')}
        onClick={(e) => {
          if (e.ctrlKey || e.metaKey) return;
          e.preventDefault();
          store.go({ zoom: '' }, 'tree');
        }}
      >
        As a table
      </a>
    </div>
  );
}

const HEAD = 1;
const TAIL = 3;

/** The way back from a zoomed box: the first, the last few, and what is between them on demand. */
function Crumbs({ store, report }: Props) {
  if (param(store.url.value, 'zoom') === '')
    return report.header.has_base ? null : <span class="hint">click zooms · wheel zooms at the pointer · drag pans</span>;
  const above = report.above
    .map((row, i) => ({ row: report.row[row], id: report.above_id[i] ?? '' }))
    .filter((a) => a.row !== undefined && a.row.name !== '');
  const shown = above.length <= HEAD + TAIL + 1 ? above : [...above.slice(0, HEAD), undefined, ...above.slice(-TAIL)];
  const link = (zoom: string, text: string, title = text) => (
    <a
      class="crumb-link"
      href={store.href({ zoom })}
      title={title}
      onClick={(e) => {
        if (!(e.ctrlKey || e.metaKey)) {
          e.preventDefault();
          store.go({ zoom });
        }
      }}
    >
      <bdi>{text}</bdi>
    </a>
  );
  const current = report.row[get(report.node, 0)];
  return (
    <nav class="flame-crumbs" aria-label="Zoomed into">
      {link('', 'everything')}
      {shown.map((a) =>
        a?.row === undefined ? (
          <span key="gap" class="crumb-gap" title={`${above.length - HEAD - TAIL} more`}>
            …
          </span>
        ) : (
          <span key={a.id}>{link(a.id, displayName(functionOf(a.row)).slice(0, 80), a.row.name)}</span>
        ),
      )}
      {current !== undefined && (
        <b>
          <bdi>{displayName(functionOf(current)).slice(0, 120)}</bdi>
        </b>
      )}
    </nav>
  );
}

function DiffLegend() {
  return (
    <span class="diff-legend" role="img" aria-label="Colours: minus shrank, equals unchanged, plus grew">
      <span class="diff-0">− gone</span>
      <span class="diff-2">−</span>
      <span class="diff-4">=</span>
      <span class="diff-6">+</span>
      <span class="diff-8">+ new</span>
    </span>
  );
}

import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { FlameReport } from '../api/types';
import { boxId } from '../logic/box-id';
import { get, layoutFlame, matchedSum, type FlameScale } from '../logic/flame-layout';
import { displayName, functionOf } from '../logic/names';
import { matchesRow } from '../logic/pattern';
import { param } from '../logic/view-url';
import type { Store } from '../state/store';
import { Segmented } from '../ui/select';
import { FlameCanvas } from './flame-canvas';
import { FlameTooltip } from './flame-tooltip';

interface Props {
  readonly store: Store;
  readonly report: FlameReport;
}
export interface Hover {
  readonly box: number;
  readonly x: number;
  readonly y: number;
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

/** The tree of stacks as boxes; what is zoomed into is in the address and asked from the server. */
export function FlameView({ store, report }: Props) {
  const url = store.url.value;
  const scale = scaleOf(param(url, 'scale'));
  const layout = useMemo(() => layoutFlame(report, scale), [report, scale]);
  const hover = useSignal<Hover | undefined>(undefined);
  const matches = useComputed(() => {
    const pattern = store.search.value;
    const current = store.main.report.value;
    if (pattern.kind !== 'ok' || current?.kind !== 'flame') return undefined;
    return Uint8Array.from(current.row, (row) => (matchesRow(pattern, row) ? 1 : 0));
  });
  useSignalEffect(() => {
    const hits = matches.value;
    const current = store.main.report.value;
    if (hits === undefined || current?.kind !== 'flame') store.found.value = undefined;
    else {
      const { value, boxes } = matchedSum(current, layoutFlame(current), hits);
      store.found.value = { count: boxes, noun: 'box', value };
    }
  });
  useEffect(
    () => () => {
      store.found.value = undefined;
    },
    [],
  );
  const selectedName = store.selected.value;
  const selected = useMemo(
    () => (selectedName === '' ? undefined : Uint8Array.from(report.row, (r) => (functionOf(r) === selectedName ? 1 : 0))),
    [report, selectedName],
  );

  const zoomTo = (box: number): void => {
    if (box < 0) return;
    const row = report.row[get(report.node, box)];
    if (box === 0) zoomOut();
    else if (row === undefined) zoomTo(get(layout.parent, box));
    else store.go({ zoom: boxId(report, layout, box), sel: functionOf(row) });
  };
  const zoomOut = (): void => {
    if (param(url, 'zoom') !== '') store.go({ zoom: report.above_id.at(-1) ?? '' });
  };
  const rowOf = (box: number) => report.row[get(report.node, box)];

  return (
    <div class="flame">
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
        {report.header.has_base && (
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
        {report.header.has_base && <DiffLegend />}
      </div>
      <FlameCanvas
        report={report}
        layout={layout}
        identity={store.main.shownPath.value}
        matches={matches}
        selected={selected}
        hover={hover}
        paintKey={store.prefs.paintKey}
        begin={store.busy.begin}
        onZoom={zoomTo}
        onZoomOut={zoomOut}
        onCursor={(box) => {
          store.select(rowOf(box));
        }}
        onMenu={(box, x, y) => {
          const row = rowOf(box);
          if (row !== undefined) store.menu.value = { row, x, y };
        }}
      />
      {hover.value !== undefined && store.menu.value === undefined && <FlameTooltip report={report} hover={hover.value} />}
    </div>
  );
}

function scaleOf(text: string): FlameScale {
  return text === 'value' || text === 'base' ? text : 'both';
}

const HEAD = 1;
const TAIL = 3;

/** The way back from a zoomed box: the first, the last few, and what is between them on demand. */
function Crumbs({ store, report }: Props) {
  if (param(store.url.value, 'zoom') === '') return <span class="hint">click zooms · wheel zooms at the pointer · drag pans</span>;
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
        a === undefined ? (
          <span key="gap" class="crumb-gap" title={`${above.length - HEAD - TAIL} more`}>
            …
          </span>
        ) : (
          <span key={a.id}>{link(a.id, displayName(functionOf(a.row ?? EMPTY)).slice(0, 80), a.row?.name)}</span>
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

const EMPTY = { name: '', full_name: '', file: '', line: 0, object: '' };

function DiffLegend() {
  return (
    <span class="diff-legend" aria-label="Colours: minus shrank, equals unchanged, plus grew">
      <span class="diff-0">− gone</span>
      <span class="diff-2">−</span>
      <span class="diff-4">=</span>
      <span class="diff-6">+</span>
      <span class="diff-8">+ new</span>
    </span>
  );
}

import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { GraphReport } from '../api/types';
import { formatCount, formatValue } from '../logic/format';
import { MEASURED_AT } from '../logic/graph-parts';
import { fit, openAt, zoomAt, type Camera } from '../logic/pan-zoom';
import { functionOf } from '../logic/names';
import { matchesRow } from '../logic/pattern';
import { measureWith, type CharWidths } from '../logic/text-fit';
import { param } from '../logic/view-url';
import type { Store } from '../state/store';
import { Icon } from '../ui/icons';
import { ProblemBox } from '../ui/problem';
import { GraphDrawing } from './graph-drawing';
import { useLayout } from './graph-layout';
import { useDrag } from './use-drag';

interface Props {
  readonly store: Store;
  readonly report: GraphReport;
}

const WHEEL_SPEED = 0.0014;
const STEP = 1.3;
const COUNTS = [10, 20, 40, 60, 80, 120, 200, 400] as const;
const USUAL = 80;

/** The call graph, laid out by Graphviz in a worker and drawn here. */
export function GraphView({ store, report }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const camera = useSignal<Camera>({ scale: 1, x: 0, y: 0 });
  const fitted = useRef('');
  const current = useComputed(() => {
    const value = store.main.report.value;
    return value?.kind === 'graph' ? value : undefined;
  });
  const layout = useLayout(current, () => measureFont(stage.current), store.busy.begin);
  const { placed, error, working } = layout.value;
  const matches = useComputed(() => {
    const pattern = store.search.value;
    const shown = current.value;
    return pattern.kind !== 'ok' || shown === undefined
      ? undefined
      : Uint8Array.from(shown.row, (row) => (matchesRow(pattern, row) ? 1 : 0));
  });
  useSignalEffect(() => {
    const hits = matches.value;
    store.found.value = hits === undefined ? undefined : { count: hits.reduce((n, hit) => n + hit, 0), noun: 'node' };
  });
  useEffect(
    () => () => {
      store.found.value = undefined;
    },
    [],
  );

  const fitAll = (): void => {
    const element = stage.current;
    const geometry = layout.peek().placed?.geometry;
    if (element !== null && geometry !== undefined)
      camera.value = fit(geometry.width, geometry.height, element.clientWidth, element.clientHeight);
  };
  // Fitted once for each question; the same graph with better names keeps its place.
  useLayoutEffect(() => {
    if (placed === undefined || fitted.current === store.main.shownPath.value) return;
    fitted.current = store.main.shownPath.value;
    const { geometry, report: shown } = placed;
    const chosen = shown.row.findIndex((row) => functionOf(row) === store.selected.peek());
    const middle = geometry.nodes.get(`n${Math.max(0, chosen)}`) ?? { x: geometry.width / 2, y: 0 };
    const at = { x: middle.x, y: chosen < 0 ? 0 : middle.y };
    const element = stage.current;
    if (element !== null) camera.value = openAt(geometry.width, geometry.height, element.clientWidth, element.clientHeight, at.x, at.y);
  }, [placed]);
  const zoom = (factor: number, clientX?: number, clientY?: number): void => {
    const rect = stage.current?.getBoundingClientRect();
    if (rect === undefined) return;
    camera.value = zoomAt(
      camera.value,
      factor,
      (clientX ?? rect.left + rect.width / 2) - rect.left,
      (clientY ?? rect.top + rect.height / 2) - rect.top,
    );
  };
  useEffect(() => {
    const element = stage.current;
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY * WHEEL_SPEED), event.clientX, event.clientY);
    };
    element?.addEventListener('wheel', wheel, { passive: false });
    return () => {
      element?.removeEventListener('wheel', wheel);
    };
  }, []);
  const drag = useDrag({
    onMove: (dx, dy) => {
      camera.value = { ...camera.value, x: camera.value.x + dx, y: camera.value.y + dy };
    },
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const pan = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') zoom(STEP);
    else if (event.key === '-') zoom(1 / STEP);
    else if (event.key === '0') fitAll();
    else if (pan !== undefined) camera.value = { ...camera.value, x: camera.value.x + (pan[0] ?? 0), y: camera.value.y + (pan[1] ?? 0) };
    else return;
    event.preventDefault();
  };
  const { scale, x, y } = camera.value;
  return (
    <div class="graph">
      <div class="view-bar">
        <NodeCount store={store} report={report} />
        <span class="gap" />
        {working && (
          <span class="hint" role="status">
            laying out {formatCount(report.row.length)} nodes…
          </span>
        )}
        <button
          type="button"
          class="quiet"
          aria-label="Zoom in"
          title="Zoom in (+)"
          onClick={() => {
            zoom(STEP);
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
            zoom(1 / STEP);
          }}
        >
          <Icon name="minus" />
        </button>
        <button type="button" class="quiet" aria-label="Fit" title="Fit (0)" onClick={fitAll}>
          <Icon name="fit" />
        </button>
      </div>
      <div
        class="graph-stage"
        ref={stage}
        onPointerDown={drag}
        onKeyDown={onKeyDown}
        tabIndex={0}
        role="application"
        aria-roledescription="call graph"
        aria-label="Call graph. Tab goes from function to function; plus, minus and 0 zoom. The Top view has the same as a table."
      >
        {error !== '' && (
          <ProblemBox
            title="The graph could not be laid out"
            message={error}
            hint="Fewer nodes may help; Top and Callers show the same data."
          />
        )}
        {placed !== undefined && (
          <svg class="graph-svg" width="100%" height="100%">
            <g transform={`translate(${x} ${y}) scale(${scale})`}>
              <GraphDrawing
                placed={placed}
                selected={store.selected.value}
                matches={matches.value}
                onSelect={(row) => {
                  store.select(row);
                }}
                onFocus={(row) => {
                  store.act('focus', row);
                }}
                onMenu={(row, mx, my) => {
                  store.select(row);
                  store.menu.value = { row, x: mx, y: my };
                }}
              />
            </g>
          </svg>
        )}
      </div>
    </div>
  );
}

/** How many nodes, and what that leaves out. */
function NodeCount({ store, report }: Props) {
  const { header } = report;
  const n = Number(param(store.url.value, 'n') || USUAL);
  const at = COUNTS.findIndex((c) => c >= (n > 0 ? n : Infinity));
  const hidden = header.n_total - report.row.length;
  return (
    <>
      <label class="slider">
        nodes
        <input
          type="range"
          name="n"
          min={0}
          max={COUNTS.length - 1}
          step={1}
          value={at < 0 ? COUNTS.length - 1 : at}
          aria-valuetext={`${n} nodes`}
          onChange={(e) => {
            const count = COUNTS[Number(e.currentTarget.value)] ?? USUAL;
            store.go({ n: count === USUAL ? '' : String(count) });
          }}
        />
      </label>
      <span class="hint">
        {formatCount(report.row.length)} nodes, {formatCount(report.edges.from.length)} calls
        {hidden > 0 && <> · {formatCount(hidden)} more not drawn</>}
        {header.dropped_nodes > 0 && (
          <>
            {' '}
            · {formatCount(header.dropped_nodes)} below {formatValue(header.node_cutoff, header.unit)} left out
          </>
        )}
      </span>
    </>
  );
}

function measureFont(host: HTMLElement | null): CharWidths {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (context === null || host === null) return measureWith((text) => text.length * 7);
  context.font = `${MEASURED_AT}px ${getComputedStyle(host).fontFamily}`;
  return measureWith((text) => context.measureText(text).width);
}

import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { GraphReport, Row } from '../../api/types';
import { formatCount } from '../../logic/text/format';
import { MEASURED_AT } from '../../logic/graph/parts';
import { placeOf, walkFrom, type GraphStep } from '../../logic/graph/walk';
import { bringIn, fit, openAt, zoomAt, type Camera } from '../../logic/pan-zoom';
import { functionOf } from '../../logic/names/names';
import { matchesRow } from '../../logic/names/pattern';
import { measureWith, type CharWidths } from '../../logic/text/text-fit';
import type { Store } from '../../state/store';
import { ProblemBox } from '../../ui/problem';
import { GraphBar, ZOOM_STEP } from './bar';
import { GraphDrawing } from './drawing';
import { useLayout } from './use-layout';
import { useDrag } from '../../ui/use-drag';
import { useSize } from '../../ui/use-size';

interface Props {
  readonly store: Store;
  readonly report: GraphReport;
}

const WHEEL_SPEED = 0.0014;
const NO_SIZE = { width: 0, height: 0 };

/** The call graph, laid out by Graphviz in a worker and drawn here. */
export function GraphView({ store, report }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const camera = useSignal<Camera>({ scale: 1, x: 0, y: 0 });
  const fitted = useRef('');
  const current = useComputed(() => {
    const value = store.main.report.value;
    return value?.kind === 'graph' ? value : undefined;
  });
  const layout = useLayout(current, () => measureFont(stage.current), store.busy.begin, store.browser.startLayout);
  const { placed, error, working, seconds } = layout.value;
  const matches = useComputed(() => {
    const pattern = store.search.value;
    const shown = current.value;
    return pattern.kind !== 'ok' || shown === undefined
      ? undefined
      : Uint8Array.from(shown.row, (row) => (matchesRow(pattern, row) ? 1 : 0));
  });
  const hits = useComputed(() => [...(matches.value ?? [])].flatMap((hit, node) => (hit === 1 ? [node] : [])));
  const at = hits.value.findIndex((node) => isSelected(store, current.value?.row[node]));
  useLayoutEffect(() => {
    const step = (by: 1 | -1): void => {
      const n = hits.value.length;
      const next = at < 0 ? (by > 0 ? 0 : n - 1) : (at + by + n) % n;
      lead(hits.value[next] ?? 0, true);
    };
    store.found.value = matches.value === undefined ? undefined : { count: hits.value.length, noun: 'node', at, step };
  }, [matches.value, at]);
  // Another search: something of what it finds is to be seen.
  const searched = useRef(store.search.value);
  useEffect(() => {
    if (searched.current === store.search.value) return;
    searched.current = store.search.value;
    const first = hits.value[0];
    if (first !== undefined && !hits.value.some(isSeen)) lead(first, false);
  }, [store.search.value]);
  useEffect(
    () => () => {
      store.found.value = undefined;
    },
    [],
  );

  /** Brings a node into the window; `chosen` when somebody asked for it. */
  const lead = (node: number, chosen: boolean): void => {
    const shown = layout.peek().placed;
    const place = shown === undefined ? undefined : placeOf(shown.geometry, node);
    const element = stage.current;
    if (place === undefined || element === null) return;
    const half = (shown?.nodes[node]?.size.width ?? 0) / 2;
    camera.value = bringIn(camera.peek(), element.clientWidth, element.clientHeight, place.x, place.y, half);
    if (chosen) store.select(shown?.report.row[node]);
  };
  // The details panel takes some of the window: the selected node stays in sight.
  const { width } = useSize(stage, NO_SIZE).value;
  useLayoutEffect(() => {
    const node = placed?.report.row.findIndex((row) => isSelected(store, row)) ?? -1;
    if (node >= 0) lead(node, false);
  }, [width]);
  const isSeen = (node: number): boolean => {
    const shown = layout.peek().placed;
    const place = shown === undefined ? undefined : placeOf(shown.geometry, node);
    const { scale, x, y } = camera.peek();
    const [px, py] = [(place?.x ?? 0) * scale + x, (place?.y ?? 0) * scale + y];
    return px > 0 && py > 0 && px < (stage.current?.clientWidth ?? 0) && py < (stage.current?.clientHeight ?? 0);
  };
  const walk = (node: number, step: GraphStep): void => {
    const shown = layout.peek().placed;
    if (shown === undefined) return;
    const next = walkFrom(shown.report, shown.geometry, node, step);
    lead(next, true);
    const found = stage.current?.querySelectorAll('.node')[next];
    if (found instanceof SVGElement) found.focus({ preventScroll: true });
  };

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
    const heaviest = shown.flat.reduce((best, flat, i) => (Math.abs(flat) > Math.abs(shown.flat[best] ?? 0) ? i : best), 0);
    const at = placeOf(geometry, chosen < 0 ? heaviest : chosen) ?? { x: geometry.width / 2, y: 0 };
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
    if (event.key === '+' || event.key === '=') zoom(ZOOM_STEP);
    else if (event.key === '-') zoom(1 / ZOOM_STEP);
    else if (event.key === '0') fitAll();
    else if (pan !== undefined) camera.value = { ...camera.value, x: camera.value.x + (pan[0] ?? 0), y: camera.value.y + (pan[1] ?? 0) };
    else return;
    event.preventDefault();
  };
  const { scale, x, y } = camera.value;
  return (
    <div class="graph">
      <GraphBar
        store={store}
        report={report}
        working={working ? `laying out ${formatCount(report.row.length)} nodes${seconds > 0 ? `, ${seconds} s` : ''}…` : ''}
        onZoom={zoom}
        onFit={fitAll}
      />
      <div
        class="graph-stage"
        ref={stage}
        onPointerDown={drag}
        onKeyDown={onKeyDown}
        tabIndex={0}
        data-home
        role="application"
        aria-roledescription="call graph"
        aria-label="Call graph. Tab moves between functions, arrows to callers, callees and neighbours; plus, minus and 0 zoom. The Top view has the same data as a table."
      >
        {error !== '' && (
          <ProblemBox
            title="Graph layout failed"
            message={error}
            hint="Show fewer nodes with the slider above, or focus on a function. Top and Callers show the same data."
          >
            <button
              type="button"
              class="primary"
              onClick={() => {
                store.go({ n: '', ef: '' });
              }}
            >
              Show the heaviest 80
            </button>
          </ProblemBox>
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
                onWalk={walk}
                onFocus={(row) => {
                  store.act('focus', row);
                }}
                onMenu={(row, mx, my) => {
                  store.select(row);
                  store.openMenu(row, mx, my);
                }}
              />
            </g>
          </svg>
        )}
      </div>
    </div>
  );
}

function isSelected(store: Store, row: Row | undefined): boolean {
  return row !== undefined && functionOf(row) === store.selected.value;
}

function measureFont(host: HTMLElement | null): CharWidths {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (context === null || host === null) return measureWith((text) => text.length * 7);
  context.font = `${MEASURED_AT}px ${getComputedStyle(host).fontFamily}`;
  return measureWith((text) => context.measureText(text).width);
}

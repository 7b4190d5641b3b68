import { useComputed, type ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { GraphReport, Row } from '../../api/types';
import { MEASURED_AT } from '../../logic/graph/node-text';
import { placeOf, walkFrom, type GraphStep } from '../../logic/graph/walk';
import { functionOf } from '../../logic/names/names';
import { formatCount } from '../../logic/text/format';
import { measureWith, type CharWidths } from '../../logic/text/text-fit';
import type { Store } from '../../state/store';
import { ProblemBox } from '../../ui/problem';
import { useSize } from '../../ui/use-size';
import { GraphBar } from './bar';
import { GraphDrawing } from './drawing';
import { useGraphCamera, type GraphCamera } from './use-camera';
import { useLayout, type PlacedGraph } from './use-layout';
import { useNodeSearch } from './use-node-search';

interface Props {
  readonly store: Store;
  readonly report: GraphReport;
}

const NO_SIZE = { width: 0, height: 0 };

/** The call graph, laid out by Graphviz in a worker and drawn here. */
export function GraphView({ store, report }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const camera = useGraphCamera(stage);
  const current = useComputed(() => {
    const value = store.main.report.value;
    return value?.kind === 'graph' ? value : undefined;
  });
  const layout = useLayout(current, () => measureFont(stage.current), store.busy.begin, store.browser.startLayout);
  const { placed, error, working, seconds } = layout.value;
  const { matches, walk, fitAll } = useWalk(store, stage, camera, current, layout);
  useFirstPlace(store, placed, camera);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '0') fitAll();
    else if (!camera.onKey(event.key)) return;
    event.preventDefault();
  };
  const { scale, x, y } = camera.at.value;
  return (
    <div class="graph">
      <GraphBar
        store={store}
        report={report}
        working={working ? `laying out ${formatCount(report.row.length)} nodes${seconds > 0 ? `, ${seconds} s` : ''}…` : ''}
        onZoom={camera.zoom}
        onFit={fitAll}
      />
      <div
        class="graph-stage"
        ref={stage}
        onPointerDown={camera.onPointerDown}
        onKeyDown={onKeyDown}
        tabIndex={0}
        data-home
        role="application"
        aria-roledescription="call graph"
        aria-label="Call graph. Tab moves between functions, arrows to callers, callees and neighbours; plus, minus and 0 zoom. The Top view has the same data as a table."
      >
        {error !== '' && <LayoutFailed store={store} error={error} />}
        {placed !== undefined && (
          <svg class="graph-svg" width="100%" height="100%">
            <g transform={`translate(${x} ${y}) scale(${scale})`}>
              <GraphDrawing placed={placed} selected={store.selected.value} matches={matches.value} onWalk={walk} {...nodeActions(store)} />
            </g>
          </svg>
        )}
      </div>
    </div>
  );
}

/** Actions of clicks and keys on a node. */
function nodeActions(store: Store) {
  return {
    onSelect: (row: Row): void => {
      store.select(row);
    },
    onFocus: (row: Row): void => {
      store.act('focus', row);
    },
    onMenu: (row: Row, x: number, y: number): void => {
      store.select(row);
      store.openMenu(row, x, y);
    },
  };
}

/** Navigation in the graph: to search matches, to neighbours, to the whole graph. */
function useWalk(
  store: Store,
  stage: RefObject<HTMLDivElement | null>,
  camera: GraphCamera,
  report: ReadonlySignal<GraphReport | undefined>,
  layout: ReturnType<typeof useLayout>,
) {
  const pointOf = (node: number): ReturnType<typeof placeOf> => {
    const shown = layout.peek().placed;
    return shown === undefined ? undefined : placeOf(shown.geometry, node);
  };

  /** Brings a node into the window, and selects it if `chosen`. */
  const show = (node: number, chosen: boolean): void => {
    const shown = layout.peek().placed;
    const point = pointOf(node);
    if (point === undefined || stage.current === null) return;
    camera.bringIn(point.x, point.y, (shown?.nodes[node]?.size.width ?? 0) / 2);
    if (chosen) store.select(shown?.report.row[node]);
  };
  const isSeen = (node: number): boolean => {
    const { x, y } = pointOf(node) ?? { x: 0, y: 0 };
    return camera.isSeen(x, y);
  };
  const matches = useNodeSearch(store, { report, isSeen, show });
  // The details panel takes some of the window: the selected node stays in sight.
  const { width } = useSize(stage, NO_SIZE).value;
  useLayoutEffect(() => {
    const node = layout.peek().placed?.report.row.findIndex((row) => functionOf(row) === store.selected.value) ?? -1;
    if (node >= 0) show(node, false);
  }, [width]);
  const fitAll = (): void => {
    const geometry = layout.peek().placed?.geometry;
    if (geometry !== undefined) camera.fit(geometry.width, geometry.height);
  };
  const walk = (node: number, step: GraphStep): void => {
    const shown = layout.peek().placed;
    if (shown === undefined) return;
    const next = walkFrom(shown.report, shown.geometry, node, step);
    show(next, true);
    const found = stage.current?.querySelectorAll('.node')[next];
    if (found instanceof SVGElement) found.focus({ preventScroll: true });
  };
  return { matches, walk, fitAll };
}

function LayoutFailed({ store, error }: { readonly store: Store; readonly error: string }) {
  return (
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
  );
}

/** Places the window once for each request, at the selected function or else the heaviest; the same graph with better names keeps its place. */
function useFirstPlace(store: Store, placed: PlacedGraph | undefined, camera: GraphCamera): void {
  const fitted = useRef('');
  useLayoutEffect(() => {
    if (placed === undefined || fitted.current === store.main.shownPath.value) return;
    fitted.current = store.main.shownPath.value;
    const { geometry, report: shown } = placed;
    const chosen = shown.row.findIndex((row) => functionOf(row) === store.selected.peek());
    const heaviest = shown.flat.reduce((best, flat, i) => (Math.abs(flat) > Math.abs(shown.flat[best] ?? 0) ? i : best), 0);
    const at = placeOf(geometry, chosen < 0 ? heaviest : chosen) ?? { x: geometry.width / 2, y: 0 };
    camera.openAt(geometry.width, geometry.height, at.x, at.y);
  }, [placed]);
}

function measureFont(host: HTMLElement | null): CharWidths {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (context === null || host === null) return measureWith((text) => text.length * 7);
  context.font = `${MEASURED_AT}px ${getComputedStyle(host).fontFamily}`;
  return measureWith((text) => context.measureText(text).width);
}

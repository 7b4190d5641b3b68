import { useSignal, type Signal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { FlameReport } from '../../api/types';
import { colorByOf, type ColorBy } from '../../logic/flame/colors';
import { rowOf } from '../../logic/flame/function-boxes';
import type { FlameScale, FlameView as FlameWindow } from '../../logic/flame/layout';
import { functionOf } from '../../logic/names/names';
import { spanText } from '../../logic/pan-zoom';
import { param } from '../../logic/url/view-url';
import { flameTable } from '../../state/flame/table';
import { mainPath } from '../../state/report/main-path';
import type { Store } from '../../state/store';
import type { Hover } from '../../ui/use-hover';
import { FlameBar } from './bar';
import { contentHeight, useFlameCamera, type FlameCamera } from './camera';
import { FlameCanvas } from './canvas';
import { InfoLine } from './info-line';
import { Minimap } from './minimap';
import { RowScrollbar, SpanScrollbar } from './scrollbar';
import { SplitTable } from './split';
import { FlameTooltip } from './tooltip';
import { useFlameBoxes, type FlameBoxes } from './use-boxes';
import { useMarkedBoxes, type MarkedBoxes } from './use-marked-boxes';
import { useShimmer } from './use-shimmer';
import { useFlameTransition } from './use-transition';
import { flameZoom, type FlameZoom } from './zoom';

interface Props {
  readonly store: Store;
  readonly report: FlameReport;
}

const WHEEL_HINT = 'heapview.wheel-hint';

/** The call tree as a flame graph; the zoomed box is in the address, and its detail is requested from the server. */
export function FlameView({ store, report: answered }: Props) {
  const url = store.url.value;
  const scale = scaleOf(param(url, 'scale'));
  const by = colorByOf(param(url, 'color'));
  const boxes = useFlameBoxes(store, answered, scale);
  const { report, layout, middle } = boxes;
  const table = useMemo(() => flameTable(store.url, store.main, store.busy, store.connection.doubt), []);
  const camera = useFlameCamera(store.busy.begin, store.browser.prefersReducedMotion);
  const cursor = useSignal(-1);
  const hover = useSignal<Hover | undefined>(undefined);
  useLayoutEffect(() => {
    hover.value = undefined;
  }, [report]);
  useFlameTransition(store, boxes, camera, cursor);
  const marked = useMarkedBoxes(store, boxes, camera, cursor);
  const zoom = flameZoom(store, boxes, camera);
  const goAround = (): void => {
    zoom.goAround(store.selected.peek());
  };
  const isSplit = param(url, 'split') === 't';
  const { height } = camera.size.value;
  // Zooming into a flat part keeps the minimap, so that nothing moves under the pointer.
  const isDeep = useRef(false);
  if (height > 0) isDeep.current = contentHeight(layout) > height || (isDeep.current && (layout.root > 0 || middle !== ''));

  return (
    <div class="flame">
      <FlameBar store={store} report={report} by={by} onAround={goAround} />
      <InfoLine store={store} boxes={boxes} by={by} />
      <div class={isSplit ? 'flame-stage split' : 'flame-stage'}>
        {isSplit && <SplitTable store={store} table={table} onOpen={zoom.goAround} />}
        <div class="flame-main">
          {isDeep.current ? (
            <Minimap report={report} layout={layout} camera={camera} by={by} paintKey={store.prefs.paintKey} />
          ) : (
            <SpanScrollbar camera={camera} />
          )}
          <div class="flame-body">
            <Boxes
              store={store}
              boxes={boxes}
              camera={camera}
              scale={scale}
              by={by}
              cursor={cursor}
              hover={hover}
              marked={marked}
              zoom={zoom}
            />
            <RowScrollbar camera={camera} layout={layout} />
          </div>
        </div>
      </div>
      <FlameTooltip store={store} report={report} root={layout.root} hover={hover} />
    </div>
  );
}

interface BoxesProps {
  readonly store: Store;
  readonly boxes: FlameBoxes;
  readonly camera: FlameCamera;
  readonly scale: FlameScale;
  readonly by: ColorBy;
  readonly cursor: Signal<number>;
  readonly hover: Signal<Hover | undefined>;
  readonly marked: MarkedBoxes;
  readonly zoom: FlameZoom;
}

/** The canvas; its gestures change the address, the selection and the menu. */
function Boxes({ store, boxes, camera, scale, by, cursor, hover, marked, zoom }: BoxesProps) {
  const { report, layout, middle, detail } = boxes;
  const shimmer = useShimmer(detail.loading, store.browser.prefersReducedMotion);
  const select = (box: number): void => {
    const row = rowOf(report, box);
    if (row !== undefined) store.select(row);
  };
  const rest = (view: FlameWindow): void => {
    // While another tree loads, the window still shows the old one.
    if (mainPath(store.url.peek(), { kind: 'none' }) !== store.main.shownPath.peek()) return;
    if (param(store.url.peek(), 'around') !== middle) return;
    store.adjust({ span: spanText(view.from, view.to) });
    if (middle === '') detail.look(view, scale);
  };
  return (
    <FlameCanvas
      report={report}
      layout={layout}
      by={by}
      camera={camera}
      cursor={cursor}
      matches={marked.matches}
      selected={marked.selected}
      hover={hover}
      shimmer={shimmer}
      paintKey={store.prefs.paintKey}
      begin={store.busy.begin}
      onPick={(box) => {
        if (box < 0) return;
        cursor.value = box;
        store.select(rowOf(report, box));
      }}
      onZoom={zoom.zoomTo}
      onBack={zoom.goBack}
      onAround={() => {
        const row = rowOf(report, cursor.peek());
        return zoom.goAround(row === undefined ? store.selected.peek() : functionOf(row));
      }}
      onCursor={select}
      onMenu={(box, x, y) => {
        store.openMenu(rowOf(report, box), x, y);
      }}
      onPlainWheel={() => {
        if (store.browser.recall(WHEEL_HINT) !== null) return;
        store.browser.remember(WHEEL_HINT, 'seen');
        store.notify('The wheel scrolls. Ctrl or ⌘ and the wheel zoom, Shift and the wheel pan.');
      }}
      onRest={rest}
    />
  );
}

function scaleOf(text: string): FlameScale {
  return text === 'value' || text === 'base' ? text : 'both';
}

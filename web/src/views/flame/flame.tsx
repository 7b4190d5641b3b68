import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { FlameReport } from '../../api/types';
import { boxId } from '../../logic/flame/box-id';
import { colorByOf } from '../../logic/flame/colors';
import { largestOf, topHolder } from '../../logic/flame/holder';
import { get } from '../../logic/get';
import type { FlameScale } from '../../logic/flame/layout';
import { functionOf } from '../../logic/names/names';
import { spanText } from '../../logic/pan-zoom';
import { param } from '../../logic/url/view-url';
import { flameTable } from '../../state/flame/table';
import { mainPath } from '../../state/main-path';
import type { Store } from '../../state/store';
import type { Hover } from '../../ui/use-hover';
import { FlameBar } from './bar';
import { EVERYTHING, contentHeight, isClose, isSeen, scrollToBox, useFlameCamera } from './camera';
import { FlameCanvas } from './canvas';
import { FlameLine } from './line';
import { Minimap } from './minimap';
import { RowScrollbar, SpanScrollbar } from './scrollbar';
import { useFlameSearch } from './search';
import { SplitTable } from './split';
import { FlameTooltip } from './tooltip';
import { useFlameBoxes } from './use-boxes';
import { useShimmer } from './use-shimmer';
import { useFlameTransition } from './use-transition';

interface Props {
  readonly store: Store;
  readonly report: FlameReport;
}

/** Narrowest width of a search match in pixels: after stepping to it, and to be noticed without help. */
const HIT_PIXELS = 160;
const SEEN_PIXELS = 4;
const WHEEL_HINT = 'heapview.wheel-hint';

/** The tree of stacks as boxes; what is zoomed into is in the address and asked from the server. */
export function FlameView({ store, report: answered }: Props) {
  const url = store.url.value;
  const scale = scaleOf(param(url, 'scale'));
  const by = colorByOf(param(url, 'color'));
  const boxes = useFlameBoxes(store, answered, scale);
  const { report, layout, middle, detail } = boxes;
  const table = useMemo(() => flameTable(store.url, store.main, store.busy, store.connection.doubt), []);
  const camera = useFlameCamera(store.busy.begin, store.browser.prefersReducedMotion);
  const shimmer = useShimmer(detail.loading, store.browser.prefersReducedMotion);
  const cursor = useSignal(-1);
  const hover = useSignal<Hover | undefined>(undefined);
  const rowOf = (box: number) => (box < 0 ? undefined : report.row[get(report.node, box)]);
  useLayoutEffect(() => {
    hover.value = undefined;
  }, [report]);
  useFlameTransition(store, boxes, camera, cursor);

  const matches = useFlameSearch({
    store,
    report,
    layout,
    cursor,
    isSeen: (box) => isSeen(camera, layout, box, SEEN_PIXELS),
    lead: (box, chosen) => {
      cursor.value = box;
      scrollToBox(camera, layout, box, true, HIT_PIXELS);
      if (chosen) store.select(rowOf(box));
    },
  });
  const selectedName = store.selected.value;
  const selected = useMemo(
    () => (selectedName === '' ? undefined : Uint8Array.from(report.row, (r) => (functionOf(r) === selectedName ? 1 : 0))),
    [report.row, selectedName],
  );
  // A function that was selected elsewhere, such as in the table, is scrolled to.
  useEffect(() => {
    const row = rowOf(cursor.peek());
    if (selectedName === '' || (row !== undefined && functionOf(row) === selectedName)) return;
    const box = largestOf(report, layout, selectedName);
    if (box > 0 && !isSeen(camera, layout, box, SEEN_PIXELS)) scrollToBox(camera, layout, box, true, HIT_PIXELS);
  }, [selectedName]);

  const pick = (box: number): void => {
    if (box < 0) return;
    cursor.value = box;
    store.select(rowOf(box));
  };
  const goAround = (name: string): boolean => {
    const holder = name === '' ? topHolder(report, layout) : undefined;
    const chosen = name || (holder === undefined ? '' : functionOf(holder));
    if (chosen !== '') store.go({ around: chosen, sel: chosen, span: '' });
    return chosen !== '';
  };
  const zoomTo = (box: number): void => {
    const row = rowOf(box);
    if (middle !== '') {
      if (row !== undefined && box > 0) goAround(functionOf(row));
    } else if (box === 0) {
      if (param(store.url.peek(), 'zoom') === '') goBack(false);
      else store.go({ zoom: '' });
    } else if (row === undefined) zoomTo(get(layout.parent, box));
    else {
      // The camera moves while the server answers, and ends at the answer's box.
      if (box > layout.root) camera.glide([get(layout.x0, box), get(layout.x1, box)]);
      store.go({ zoom: boxId(report, layout, box), sel: functionOf(row) });
    }
  };
  const goBack = (all: boolean): boolean => {
    const zoomed = param(store.url.peek(), 'zoom') !== '';
    if (isClose(camera) && !(all && zoomed)) camera.glide(EVERYTHING);
    else if (param(store.url.peek(), 'around') !== '') store.go({ around: '', span: '' });
    else if (zoomed) store.go({ zoom: all ? '' : boxId(report, layout, layout.root - 1) });
    else return false;
    return true;
  };
  const isSplit = param(url, 'split') === 't';
  const { height } = camera.size.value;
  // A zoom into something flat keeps the map: nothing is to move under the pointer.
  const isDeep = useRef(false);
  if (height > 0) isDeep.current = contentHeight(layout) > height || (isDeep.current && (layout.root > 0 || middle !== ''));

  return (
    <div class="flame">
      <FlameBar
        store={store}
        report={report}
        by={by}
        onAround={() => {
          goAround(store.selected.peek());
        }}
      />
      <FlameLine store={store} boxes={boxes} by={by} />
      <div class={isSplit ? 'flame-stage split' : 'flame-stage'}>
        {isSplit && <SplitTable store={store} table={table} onOpen={goAround} />}
        <div class="flame-main">
          {isDeep.current ? (
            <Minimap report={report} layout={layout} camera={camera} by={by} paintKey={store.prefs.paintKey} />
          ) : (
            <SpanScrollbar camera={camera} />
          )}
          <div class="flame-body">
            <FlameCanvas
              report={report}
              layout={layout}
              by={by}
              camera={camera}
              cursor={cursor}
              matches={matches}
              selected={selected}
              hover={hover}
              shimmer={shimmer}
              paintKey={store.prefs.paintKey}
              begin={store.busy.begin}
              onPick={pick}
              onZoom={zoomTo}
              onBack={goBack}
              onAround={() => {
                const row = rowOf(cursor.peek());
                return goAround(row === undefined ? store.selected.peek() : functionOf(row));
              }}
              onCursor={(box) => {
                const row = rowOf(box);
                if (row !== undefined) store.select(row);
              }}
              onMenu={(box, x, y) => {
                store.openMenu(rowOf(box), x, y);
              }}
              onPlainWheel={() => {
                if (store.browser.recall(WHEEL_HINT) !== null) return;
                store.browser.remember(WHEEL_HINT, 'seen');
                store.notify('The wheel scrolls. Ctrl or ⌘ and the wheel zoom, Shift and the wheel pan.');
              }}
              onRest={(view) => {
                // While another tree is awaited, the window is still that of the old one.
                if (mainPath(store.url.peek(), { kind: 'none' }) !== store.main.shownPath.peek()) return;
                if (param(store.url.peek(), 'around') !== middle) return;
                store.adjust({ span: spanText(view.from, view.to) });
                if (middle === '') detail.look(view, scale);
              }}
            />
            <RowScrollbar camera={camera} layout={layout} />
          </div>
        </div>
      </div>
      <FlameTooltip store={store} report={report} root={layout.root} hover={hover} />
    </div>
  );
}

function scaleOf(text: string): FlameScale {
  return text === 'value' || text === 'base' ? text : 'both';
}

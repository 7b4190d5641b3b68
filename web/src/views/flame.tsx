import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { FlameReport } from '../api/types';
import { boxId } from '../logic/box-id';
import { get, layoutFlame, type FlameLayout, type FlameScale } from '../logic/flame-layout';
import { boxOfRoot, sameBox } from '../logic/flame-splice';
import { functionOf } from '../logic/names';
import { readSpan, spanText } from '../logic/pan-zoom';
import { param } from '../logic/view-url';
import { FLAME_ROW } from '../paint/flame';
import { createFlameDetail } from '../state/flame-detail';
import { mainPath } from '../state/main-path';
import type { Store } from '../state/store';
import { FlameBar } from './flame-bar';
import { EVERYTHING, useFlameCamera } from './flame-camera';
import { FlameCanvas } from './flame-canvas';
import { isClose, leadTo } from './flame-moves';
import { FlameOverview } from './flame-overview';
import { useFlameSearch } from './flame-search';
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

/** A hit of the search is shown at least so wide, and found without help when it is wider than the second. */
const HIT_PIXELS = 160;
const SEEN_PIXELS = 4;

/** The tree of stacks as boxes; what is zoomed into is in the address and asked from the server. */
export function FlameView({ store, report: answered }: Props) {
  const url = store.url.value;
  const scale = scaleOf(param(url, 'scale'));
  const detail = useMemo(() => createFlameDetail(store.main, store.busy), []);
  useEffect(() => detail.dispose, []);
  const report = detail.shown.value?.report ?? answered;
  const layout = useMemo(() => layoutFlame(report, scale), [report, scale]);
  const camera = useFlameCamera(store.busy.begin, store.browser.wantsCalm);
  const scroller = useRef<HTMLDivElement>(null);
  const cursor = useSignal(-1);
  const hover = useSignal<Hover | undefined>(undefined);
  const rowOf = (box: number) => report.row[get(report.node, box)];

  const identity = `${store.main.shownPath.value} ${scale}`;
  const before = useRef<{ identity: string; report: FlameReport; layout: FlameLayout } | undefined>(undefined);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { identity, report, layout };
    hover.value = undefined;
    if (old?.identity === identity) {
      // The same with more names or more detail: everything stays where it is.
      cursor.value = sameBox(old.report, old.layout, cursor.peek(), report, layout);
      return;
    }
    cursor.value = -1;
    const target = readSpan(param(store.url.peek(), 'span')) ?? EVERYTHING;
    const [from, to] = camera.span.peek();
    const top = scroller.current?.scrollTop ?? 0;
    if (scroller.current !== null) scroller.current.scrollTop = 0;
    const inside = old === undefined ? -1 : boxOfRoot(old.report, old.layout, report);
    const outside = old === undefined ? -1 : boxOfRoot(report, layout, old.report);
    if (old !== undefined && inside > 0) {
      const x = get(old.layout.x0, inside);
      const k = 1 / Math.max(1e-12, get(old.layout.x1, inside) - x);
      camera.glide(target, [(from - x) * k, (to - x) * k], get(old.layout.depth, inside) * FLAME_ROW - top);
    } else if (outside > 0) {
      const x = get(layout.x0, outside);
      const width = get(layout.x1, outside) - x;
      camera.glide(target, [x + from * width, x + to * width], -get(layout.depth, outside) * FLAME_ROW - top);
    } else {
      camera.jump(target);
      // Somebody selected it in another view, or sent a link to it.
      const box = store.search.peek().kind === 'none' ? largestOf(report, store.selected.peek()) : -1;
      if (box > 0) leadTo(camera, scroller.current, layout, box, false);
    }
  }, [identity, report, layout]);

  const matches = useFlameSearch({
    store,
    report,
    layout,
    cursor,
    isSeen: (box) => {
      const [from, to] = camera.span.peek();
      const element = scroller.current;
      const pixels = (element?.clientWidth ?? 0) / (to - from);
      const seen = Math.min(to, get(layout.x1, box)) - Math.max(from, get(layout.x0, box));
      const y = get(layout.depth, box) * FLAME_ROW - (element?.scrollTop ?? 0);
      return seen * pixels >= SEEN_PIXELS && y >= 0 && y < (element?.clientHeight ?? 0);
    },
    lead: (box, chosen) => {
      cursor.value = box;
      leadTo(camera, scroller.current, layout, box, true, HIT_PIXELS);
      if (chosen) store.select(rowOf(box));
    },
  });
  const selectedName = store.selected.value;
  const selected = useMemo(
    () => (selectedName === '' ? undefined : Uint8Array.from(report.row, (r) => (functionOf(r) === selectedName ? 1 : 0))),
    [report.row, selectedName],
  );

  const zoomTo = (box: number): void => {
    if (box <= 0) {
      if (box === 0) goBack(false);
      return;
    }
    const row = rowOf(box);
    if (row === undefined) zoomTo(get(layout.parent, box));
    else store.go({ zoom: boxId(report, layout, box), sel: functionOf(row) });
  };
  const goBack = (all: boolean): boolean => {
    const zoomed = param(store.url.peek(), 'zoom') !== '';
    if (isClose(camera) && !(all && zoomed)) camera.glide(EVERYTHING);
    else if (zoomed) store.go({ zoom: all ? '' : (report.above_id.at(-1) ?? '') });
    else return false;
    return true;
  };

  return (
    <div class="flame">
      <FlameBar store={store} report={report} />
      <FlameOverview camera={camera} />
      <FlameCanvas
        report={report}
        layout={layout}
        camera={camera}
        cursor={cursor}
        scroller={scroller}
        matches={matches}
        selected={selected}
        hover={hover}
        paintKey={store.prefs.paintKey}
        begin={store.busy.begin}
        onZoom={zoomTo}
        onBack={goBack}
        onCursor={(box) => {
          store.select(rowOf(box));
        }}
        onMenu={(box, x, y) => {
          const row = rowOf(box);
          if (row !== undefined) store.menu.value = { row, x, y };
        }}
        onRest={(view) => {
          // While another tree is awaited, the window is still that of the old one.
          if (mainPath(store.url.peek(), { kind: 'none' }) !== store.main.shownPath.peek()) return;
          store.adjust({ span: spanText(view.from, view.to) });
          detail.look(layout, view);
        }}
      />
      <FlameTooltip store={store} report={report} hover={hover} />
    </div>
  );
}

function scaleOf(text: string): FlameScale {
  return text === 'value' || text === 'base' ? text : 'both';
}

/** The largest box of a function; −1 when it has none. */
function largestOf(report: FlameReport, name: string): number {
  if (name === '') return -1;
  let largest = -1;
  report.node.forEach((node, box) => {
    const row = report.row[node];
    if (row === undefined || functionOf(row) !== name) return;
    if (largest < 0 || Math.abs(get(report.cum, box)) > Math.abs(get(report.cum, largest))) largest = box;
  });
  return largest;
}

import { effect, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { FlameReport } from '../../api/types';
import type { ColorBy } from '../../logic/flame/colors';
import { get } from '../../logic/get';
import type { FlameView } from '../../logic/flame/layout';
import { formatPercent, formatValue } from '../../logic/text/format';
import { boxAt } from '../../logic/flame/hit-test';
import { FLAME_PAD, FLAME_ROW } from '../../paint/flame/scene';
import { createFlamePainter, type FlamePainter } from '../../paint/flame/painter';
import { readTokens, type PaintTokens } from '../../paint/tokens';
import { useDrag } from '../../ui/use-drag';
import { hoverHandlers, type Hover } from '../../ui/use-hover';
import { contentHeight, viewOf } from './camera';
import { flameKeys, type FlameKeys } from './keys';
import { useWheel } from './wheel';

export interface FlameCanvasProps extends FlameKeys {
  readonly report: FlameReport;
  readonly by: ColorBy;
  readonly matches: Uint8Array | undefined;
  readonly selected: Uint8Array | undefined;
  readonly hover: Signal<Hover | undefined>;
  readonly shimmer: ReadonlySignal<number>;
  readonly paintKey: ReadonlySignal<number>;
  readonly begin: () => () => void;
  /** A click; −1 beside all boxes. */
  readonly onPick: (box: number) => void;
  /** The wheel was turned without a key. */
  readonly onPlainWheel: () => void;
  /** The window came to rest. */
  readonly onRest: (view: FlameView) => void;
}

const REST_MS = 140;

/** A click on a box: the second of a double click belongs to the same one, though the details panel may have moved the graph. */
interface Click {
  readonly box: number;
  readonly time: number;
  readonly x: number;
  readonly y: number;
}

const NO_CLICK: Click = { box: -1, time: -Infinity, x: 0, y: 0 };
const DOUBLE_MS = 500;
const DOUBLE_SLACK = 6;

function isSecond(first: Click, event: MouseEvent): boolean {
  return event.timeStamp - first.time < DOUBLE_MS && Math.hypot(event.clientX - first.x, event.clientY - first.y) < DOUBLE_SLACK;
}

/** The boxes on a canvas as large as the screen part it fills; scrolls, zooms, and speaks the box under the cursor. */
export function FlameCanvas(props: FlameCanvasProps) {
  const { report, layout, camera, cursor, hover, paintKey, shimmer } = props;
  const { scroller, size, top } = camera;
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<FlamePainter | undefined>(undefined);
  const tokens = useRef<{ key: number; read: PaintTokens } | undefined>(undefined);
  // Signal effects below must run again when props change.
  const scene = useSignal(props);
  useLayoutEffect(() => {
    scene.value = props;
  });

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const read = (): void => {
      size.value = { width: element.clientWidth, height: element.clientHeight };
      top.value = element.scrollTop;
    };
    read();
    const resized = new ResizeObserver(read);
    resized.observe(element);
    return () => {
      resized.disconnect();
    };
  }, []);
  useWheel(camera, props.onPlainWheel);

  const paint = (): (() => void) => {
    const { report: current, layout: boxes, selected, matches, by, begin } = scene.value;
    const { height } = size.value;
    const [over, at, theme, shine] = [hover.value?.at ?? -1, cursor.value, paintKey.value, shimmer.value];
    const view = viewOf(camera);
    const scrollTop = top.value - FLAME_PAD;
    const end = begin();
    const frame = requestAnimationFrame(() => {
      const element = canvas.current;
      const host = scroller.current;
      const context = element?.getContext('2d') ?? null;
      if (element !== null && host !== null && context !== null && view.width > 0) {
        const ratio = host.ownerDocument.defaultView?.devicePixelRatio ?? 1;
        const [w, h] = [Math.round(view.width * ratio), Math.round(height * ratio)];
        if (element.width !== w || element.height !== h) Object.assign(element, { width: w, height: h });
        if (tokens.current?.key !== theme) tokens.current = { key: theme, read: readTokens(host) };
        painter.current ??= createFlamePainter(context);
        const marks = { matches, selected, hover: over, cursor: at };
        const palette = tokens.current.read;
        const n = painter.current.paint({
          ...{ report: current, layout: boxes, view, scrollTop, height },
          ...{ marks, tokens: palette, by, shimmer: shine },
        });
        element.dataset['painted'] = String(n);
      }
      end();
    });
    return () => {
      cancelAnimationFrame(frame);
      end();
    };
  };
  const rest = (): (() => void) | undefined => {
    const { onRest, begin } = scene.value;
    const view = viewOf(camera);
    if (view.width === 0) return undefined;
    const end = begin();
    const timer = setTimeout(() => {
      onRest(view);
      end();
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  };
  // Not useSignalEffect, which waits for a frame: boxes would follow the hand one frame late.
  useLayoutEffect(() => {
    const stops = [effect(paint), effect(rest)];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);

  const boxUnder = (event: MouseEvent): number => {
    const rect = scroller.current?.getBoundingClientRect();
    const [from, to] = camera.span.value;
    const x = from + ((event.clientX - (rect?.left ?? 0)) / Math.max(1, size.value.width)) * (to - from);
    return boxAt(layout, Math.floor((event.clientY - (rect?.top ?? 0) + top.value - FLAME_PAD) / FLAME_ROW), x);
  };
  const clicked = useRef<Click>(NO_CLICK);
  const drag = useDrag({
    onMove: (dx, dy) => {
      hover.value = undefined;
      const [from, to] = camera.span.value;
      camera.pan((-dx / size.value.width) * (to - from));
      camera.scrollTo(top.value - dy);
    },
    onClick: (event) => {
      if (isSecond(clicked.current, event)) return;
      const box = boxUnder(event);
      clicked.current = { box, time: event.timeStamp, x: event.clientX, y: event.clientY };
      props.onPick(box);
    },
  });
  useEffect(
    () => () => {
      hover.value = undefined;
    },
    [],
  );

  return (
    <div
      class="flame-scroll"
      id="flame-boxes"
      ref={scroller}
      tabIndex={0}
      data-home
      role="application"
      aria-roledescription="flame graph"
      data-flame
      aria-label="Flame graph. Arrow keys move, Enter zooms, Escape goes back, s shows callers and callees, m opens the menu, n goes to the next match. The Tree view has the same data as a table."
      onScroll={(e) => {
        top.value = e.currentTarget.scrollTop;
        hover.value = undefined;
      }}
      onKeyDown={(e) => {
        flameKeys(props, e);
      }}
      onPointerDown={drag}
      onDblClick={() => {
        const { box } = clicked.current;
        clicked.current = NO_CLICK;
        if (box >= 0) props.onZoom(box);
      }}
      {...hoverHandlers(hover, boxUnder)}
      onContextMenu={(e) => {
        e.preventDefault();
        const box = boxUnder(e);
        hover.value = undefined;
        if (box < 0) return;
        props.onCursor(box);
        props.onMenu(box, e.clientX, e.clientY);
      }}
    >
      <canvas ref={canvas} class="flame-canvas" />
      <div class="flame-space" style={{ height: `${Math.max(0, contentHeight(layout) - size.value.height)}px` }} />
      <span class="sr" aria-live="polite" data-cursor>
        {cursor.value < 0 ? '' : spoken(report, cursor.value)}
      </span>
    </div>
  );
}

function spoken(report: FlameReport, box: number): string {
  const { header } = report;
  const name = report.row[get(report.node, box)]?.name ?? (box === 0 ? 'all memory' : 'smaller ones');
  const cum = get(report.cum, box);
  return Number.isNaN(cum) ? name : `${name}: ${formatValue(cum, header.unit)}, ${formatPercent(cum, header.value_total)}`;
}

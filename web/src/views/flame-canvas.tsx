import { useSignal, useSignalEffect, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { FlameReport } from '../api/types';
import { get, type FlameLayout } from '../logic/flame-layout';
import { formatPercent, formatValue } from '../logic/format';
import { boxAt, stepFrom, type Step } from '../logic/hit-test';
import { moveSpan, zoomSpan } from '../logic/pan-zoom';
import { scrollToShow } from '../logic/window';
import { createFlamePainter, FLAME_ROW, type FlamePainter } from '../paint/flame';
import { readTokens, type PaintTokens } from '../paint/tokens';
import type { Hover } from './flame';
import { useDrag } from './use-drag';

interface Props {
  readonly report: FlameReport;
  readonly layout: FlameLayout;
  /** Changes when another question was answered: the view is then fitted again. */
  readonly identity: string;
  readonly matches: ReadonlySignal<Uint8Array | undefined>;
  readonly selected: Uint8Array | undefined;
  readonly hover: Signal<Hover | undefined>;
  readonly paintKey: ReadonlySignal<number>;
  readonly begin: () => () => void;
  readonly onZoom: (box: number) => void;
  readonly onZoomOut: () => void;
  readonly onCursor: (box: number) => void;
  readonly onMenu: (box: number, x: number, y: number) => void;
}

const ARROWS: Readonly<Record<string, Step>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };
const WHEEL_SPEED = 0.0016;
const KEY_ZOOM = 1.6;
const TOP_PAD = 8;

/** The boxes on a canvas as large as the screen part it fills; pans, zooms, and speaks the box under the cursor. */
export function FlameCanvas(props: Props) {
  const { report, layout, hover, matches, paintKey } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<FlamePainter | undefined>(undefined);
  const tokens = useRef<{ key: number; read: PaintTokens } | undefined>(undefined);
  const span = useSignal<readonly [number, number]>([0, 1]);
  const size = useSignal({ width: 0, height: 0 });
  const scrollTop = useSignal(0);
  const cursor = useSignal(-1);
  const shown = useRef('');
  const latest = useRef(props);
  latest.current = props;
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
    };
    read();
    const resized = new ResizeObserver(read);
    resized.observe(element);
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      if (event.shiftKey) element.scrollTop += event.deltaY || event.deltaX;
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
        span.value = moveSpan(...span.value, (event.deltaX / size.value.width) * (span.value[1] - span.value[0]));
      else span.value = zoomSpan(...span.value, Math.exp(-event.deltaY * WHEEL_SPEED), fractionAt(event.clientX));
    };
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      resized.disconnect();
      element.removeEventListener('wheel', wheel);
    };
  }, []);

  // Another tree: seen whole. The same tree with more names stays as it is.
  useLayoutEffect(() => {
    if (shown.current === props.identity) return;
    shown.current = props.identity;
    span.value = [0, 1];
    cursor.value = -1;
    hover.value = undefined;
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [props.identity]);

  useSignalEffect(() => {
    const { report: current, layout: boxes, selected } = scene.value;
    const [from, to] = span.value;
    const { width, height } = size.value;
    const [top, hits, over, at, theme] = [scrollTop.value, matches.value, hover.value?.box ?? -1, cursor.value, paintKey.value];
    const end = latest.current.begin();
    const frame = requestAnimationFrame(() => {
      const element = canvas.current;
      const host = scroller.current;
      const context = element?.getContext('2d') ?? null;
      if (element !== null && host !== null && context !== null && width > 0) {
        const ratio = host.ownerDocument.defaultView?.devicePixelRatio ?? 1;
        const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
        if (element.width !== w || element.height !== h) Object.assign(element, { width: w, height: h });
        if (tokens.current?.key !== theme) tokens.current = { key: theme, read: readTokens(host) };
        painter.current ??= createFlamePainter(context);
        const view = { from, to, width, firstRow: Math.floor((top - TOP_PAD) / FLAME_ROW), lastRow: Math.ceil((top + height) / FLAME_ROW) };
        const marks = { matches: hits, selected, hover: over, cursor: at };
        const n = painter.current.paint({
          report: current,
          layout: boxes,
          view,
          scrollTop: top - TOP_PAD,
          height,
          marks,
          tokens: tokens.current.read,
        });
        element.dataset['painted'] = String(n);
      }
      end();
    });
    return () => {
      cancelAnimationFrame(frame);
      end();
    };
  });

  const fractionAt = (clientX: number): number => {
    const left = scroller.current?.getBoundingClientRect().left ?? 0;
    const [from, to] = span.value;
    return from + ((clientX - left) / Math.max(1, size.value.width)) * (to - from);
  };
  const boxUnder = (event: MouseEvent): number => {
    const top = scroller.current?.getBoundingClientRect().top ?? 0;
    return boxAt(layout, Math.floor((event.clientY - top + scrollTop.value - TOP_PAD) / FLAME_ROW), fractionAt(event.clientX));
  };
  const drag = useDrag({
    onMove: (dx, dy) => {
      hover.value = undefined;
      span.value = moveSpan(...span.value, (-dx / size.value.width) * (span.value[1] - span.value[0]));
      if (scroller.current !== null) scroller.current.scrollTop -= dy;
    },
    onClick: (event) => {
      props.onZoom(boxUnder(event));
    },
  });
  const moveCursor = (box: number): void => {
    cursor.value = box;
    const element = scroller.current;
    if (element !== null)
      element.scrollTop = scrollToShow(get(layout.depth, box), element.scrollTop, size.value.height - TOP_PAD, FLAME_ROW);
    const [from, to] = span.value;
    if (get(layout.x1, box) <= from || get(layout.x0, box) >= to) span.value = moveSpan(from, to, get(layout.x0, box) - from);
    props.onCursor(box);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = ARROWS[event.key];
    const [from, to] = span.value;
    const rect = scroller.current?.getBoundingClientRect();
    if (step !== undefined) moveCursor(cursor.value < 0 ? 0 : stepFrom(layout, cursor.value, step));
    else if (event.key === 'Enter') props.onZoom(cursor.value);
    else if (event.key === 'Escape' && (from > 0 || to < 1)) span.value = [0, 1];
    else if (event.key === 'Escape') props.onZoomOut();
    else if (event.key === '+' || event.key === '=') span.value = zoomSpan(from, to, KEY_ZOOM, (from + to) / 2);
    else if (event.key === '-') span.value = zoomSpan(from, to, 1 / KEY_ZOOM, (from + to) / 2);
    else if (event.key === '0') span.value = [0, 1];
    else if (event.key === 'm' && cursor.value > 0) {
      const x = ((get(layout.x0, cursor.value) - from) / (to - from)) * size.value.width;
      props.onMenu(
        cursor.value,
        (rect?.left ?? 0) + Math.max(0, x) + 12,
        (rect?.top ?? 0) + (get(layout.depth, cursor.value) + 1) * FLAME_ROW - scrollTop.value,
      );
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  useEffect(
    () => () => {
      hover.value = undefined;
    },
    [],
  );

  return (
    <div
      class="flame-scroll"
      ref={scroller}
      tabIndex={0}
      role="application"
      aria-roledescription="flame graph"
      data-flame
      aria-label="Flame graph. Arrows move, Enter zooms, Escape goes back, m opens the menu. The Top view has the same as a table."
      onScroll={(e) => {
        scrollTop.value = e.currentTarget.scrollTop;
      }}
      onKeyDown={onKeyDown}
      onPointerDown={drag}
      onPointerMove={(e) => {
        if (e.buttons === 0) hover.value = hoverOf(boxUnder(e), e);
      }}
      onPointerLeave={() => {
        hover.value = undefined;
      }}
      onContextMenu={(e) => {
        e.preventDefault();
        const box = boxUnder(e);
        hover.value = undefined;
        if (box > 0) {
          props.onCursor(box);
          props.onMenu(box, e.clientX, e.clientY);
        }
      }}
    >
      <canvas ref={canvas} class="flame-canvas" />
      <div class="flame-space" style={{ height: `${Math.max(0, layout.nRows * FLAME_ROW + 2 * TOP_PAD - size.value.height)}px` }} />
      <span class="sr" aria-live="polite" data-cursor>
        {cursor.value < 0 ? '' : spoken(report, cursor.value)}
      </span>
    </div>
  );
}

function hoverOf(box: number, event: PointerEvent): Hover | undefined {
  return box < 0 ? undefined : { box, x: event.clientX, y: event.clientY };
}

function spoken(report: FlameReport, box: number): string {
  const { header } = report;
  const name = report.row[get(report.node, box)]?.name ?? (box === 0 ? 'everything' : 'smaller ones');
  return `${name}: ${formatValue(get(report.cum, box), header.unit)}, ${formatPercent(get(report.cum, box), header.value_total)}`;
}

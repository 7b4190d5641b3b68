import { effect, useSignal, type ReadonlySignal, type Signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { FlameReport } from '../api/types';
import { get, type FlameLayout, type FlameView } from '../logic/flame-layout';
import { formatPercent, formatValue } from '../logic/format';
import { boxAt } from '../logic/hit-test';
import { moveSpan } from '../logic/pan-zoom';
import { createFlamePainter, FLAME_PAD, FLAME_ROW, type FlamePainter } from '../paint/flame';
import { readTokens, type PaintTokens } from '../paint/tokens';
import type { Hover } from './flame';
import type { FlameCamera } from './flame-camera';
import { flameKeys, wheelMoves } from './flame-moves';
import { useDrag } from './use-drag';

export interface FlameCanvasProps {
  readonly report: FlameReport;
  readonly layout: FlameLayout;
  readonly camera: FlameCamera;
  readonly cursor: Signal<number>;
  /** The element that scrolls, for those who lead the view somewhere. */
  readonly scroller: { current: HTMLDivElement | null };
  readonly matches: Uint8Array | undefined;
  readonly selected: Uint8Array | undefined;
  readonly hover: Signal<Hover | undefined>;
  readonly paintKey: ReadonlySignal<number>;
  readonly begin: () => () => void;
  readonly onZoom: (box: number) => void;
  /** One step back, or all of them; false when there is none. */
  readonly onBack: (all: boolean) => boolean;
  readonly onCursor: (box: number) => void;
  readonly onMenu: (box: number, x: number, y: number) => void;
  /** The window came to rest. */
  readonly onRest: (view: FlameView) => void;
}

const REST_MS = 140;

/** The boxes on a canvas as large as the screen part it fills; pans, zooms, and speaks the box under the cursor. */
export function FlameCanvas(props: FlameCanvasProps) {
  const { report, layout, camera, cursor, hover, paintKey, scroller } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const painter = useRef<FlamePainter | undefined>(undefined);
  const tokens = useRef<{ key: number; read: PaintTokens } | undefined>(undefined);
  const size = useSignal({ width: 0, height: 0 });
  const scrollTop = useSignal(0);
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
    const wheel = wheelMoves(element, camera);
    element.addEventListener('wheel', wheel, { passive: false });
    return () => {
      resized.disconnect();
      element.removeEventListener('wheel', wheel);
    };
  }, []);

  const windowOf = (top: number): FlameView => {
    const [from, to] = camera.span.value;
    const { width, height } = size.value;
    const first = top - FLAME_PAD - camera.drop.value;
    return { from, to, width, firstRow: Math.floor(first / FLAME_ROW), lastRow: Math.ceil((first + height) / FLAME_ROW) };
  };
  const paint = (): (() => void) => {
    const { report: current, layout: boxes, selected, matches } = scene.value;
    const { height } = size.value;
    const [top, over, at, theme] = [scrollTop.value, hover.value?.box ?? -1, cursor.value, paintKey.value];
    const view = windowOf(top);
    const above = top - FLAME_PAD - camera.drop.value;
    const end = latest.current.begin();
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
        const n = painter.current.paint({
          report: current,
          layout: boxes,
          view,
          scrollTop: above,
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
  };
  const rest = (): (() => void) | undefined => {
    const { onRest } = scene.value;
    const view = windowOf(scrollTop.value);
    if (view.width === 0) return undefined;
    const end = latest.current.begin();
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

  const fractionAt = (clientX: number): number => {
    const left = scroller.current?.getBoundingClientRect().left ?? 0;
    const [from, to] = camera.span.value;
    return from + ((clientX - left) / Math.max(1, size.value.width)) * (to - from);
  };
  const boxUnder = (event: MouseEvent): number => {
    const top = scroller.current?.getBoundingClientRect().top ?? 0;
    return boxAt(layout, Math.floor((event.clientY - top + scrollTop.value - FLAME_PAD) / FLAME_ROW), fractionAt(event.clientX));
  };
  const drag = useDrag({
    onMove: (dx, dy) => {
      hover.value = undefined;
      const [from, to] = camera.span.value;
      camera.jump(moveSpan(from, to, (-dx / size.value.width) * (to - from)));
      if (scroller.current !== null) scroller.current.scrollTop -= dy;
    },
    onClick: (event) => {
      props.onZoom(boxUnder(event));
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
      aria-label="Flame graph. Arrows move, Enter zooms, Escape goes back, m opens the menu, n leads to the next match. The Tree view has the same as a table."
      onScroll={(e) => {
        scrollTop.value = e.currentTarget.scrollTop;
        hover.value = undefined;
      }}
      onKeyDown={(e) => {
        flameKeys(props, e);
      }}
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
      <div class="flame-space" style={{ height: `${Math.max(0, layout.nRows * FLAME_ROW + 2 * FLAME_PAD - size.value.height)}px` }} />
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

import type { ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FlameReport } from '../../api/types';
import type { ColorBy } from '../../logic/flame/colors';
import type { FlameLayout } from '../../logic/flame/layout';
import { paintMinimap } from '../../paint/flame/minimap';
import { readTokens } from '../../paint/tokens';
import { useDrag } from '../../ui/use-drag';
import { useSize } from '../../ui/use-size';
import { contentHeight, type FlameCamera } from './camera';

interface Props {
  readonly report: FlameReport;
  readonly layout: FlameLayout;
  readonly camera: FlameCamera;
  readonly by: ColorBy;
  readonly paintKey: ReadonlySignal<number>;
}

const FIRST = { width: 0, height: 0 };
const STEP = 0.1;

/** The whole graph, small, with the part in the window marked; a drag moves that part, a click moves it there. */
export function Minimap({ report, layout, camera, by, paintKey }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(host, FIRST).value;
  usePaintedMap(canvas, { report, layout, by, width, height, theme: paintKey.value });

  const all = contentHeight(layout);
  const move = (dx: number, dy: number): void => {
    camera.pan(dx / Math.max(1, width));
    camera.scrollTo(camera.top.peek() + (dy / Math.max(1, height)) * all);
  };
  const drag = useDrag({
    onMove: move,
    onClick: (e) => {
      const rect = host.current?.getBoundingClientRect();
      const [from, to] = camera.span.peek();
      if (rect === undefined) return;
      const middle = ((camera.top.peek() + camera.size.peek().height / 2) / all) * height;
      move(e.clientX - rect.left - ((from + to) / 2) * width, e.clientY - rect.top - middle);
    },
  });
  return (
    <div
      class="flame-minimap"
      ref={host}
      role="application"
      tabIndex={0}
      aria-label="Minimap of the flame graph. Arrow keys move the part in view."
      onPointerDown={drag}
      onKeyDown={(e) => {
        const [from, to] = camera.span.peek();
        const page = camera.size.peek().height / 2;
        if (e.key === 'ArrowLeft' || e.key === 'ArrowRight') camera.pan((e.key === 'ArrowLeft' ? -STEP : STEP) * (to - from));
        else if (e.key === 'ArrowUp' || e.key === 'ArrowDown') camera.scrollTo(camera.top.peek() + (e.key === 'ArrowUp' ? -page : page));
        else return;
        e.preventDefault();
        e.stopPropagation();
      }}
    >
      <canvas ref={canvas} class="minimap-canvas" />
      <Part camera={camera} all={all} />
    </div>
  );
}

interface Painted extends Pick<Props, 'report' | 'layout' | 'by'> {
  readonly width: number;
  readonly height: number;
  readonly theme: number;
}

/** Paints the map when the graph, its size or the theme changes. */
function usePaintedMap(canvas: RefObject<HTMLCanvasElement | null>, { report, layout, by, width, height, theme }: Painted): void {
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d') ?? null;
    if (element === null || context === null || width === 0) return undefined;
    // One frame later: the graph itself is painted first.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(paint);
    });
    const paint = (): void => {
      const ratio = element.ownerDocument.defaultView?.devicePixelRatio ?? 1;
      Object.assign(element, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
      paintMinimap(context, { report, layout, width, height, tokens: readTokens(element.parentElement ?? element), by });
    };
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [report, layout, width, height, by, theme]);
}

/** The rectangle in view; moves without painting the map again. */
function Part({ camera, all }: { readonly camera: FlameCamera; readonly all: number }) {
  const [from, to] = camera.span.value;
  const { height } = camera.size.value;
  const left = Math.max(0, from);
  const style = {
    left: `${left * 100}%`,
    width: `max(6px, ${(Math.min(1, to) - left) * 100}%)`,
    top: `${Math.min(1, camera.top.value / all) * 100}%`,
    height: `max(4px, ${Math.min(1, height / all) * 100}%)`,
  };
  return <div class="minimap-part" style={style} />;
}

import { useRef } from 'preact/hooks';
import type { FlameLayout } from '../../logic/flame-layout';
import { useDrag } from '../use-drag';
import { contentHeight, isClose, type FlameCamera } from './camera';

interface Props {
  readonly camera: FlameCamera;
}

const STEP = 0.1;
const ROWS = 60;

/** Scrolls the rows: always visible where there are more than the window has room for. */
export function RowScrollbar({ camera, layout }: Props & { readonly layout: FlameLayout }) {
  const bar = useRef<HTMLDivElement>(null);
  const all = contentHeight(layout);
  const { height } = camera.size.value;
  const top = camera.top.value;
  const perPixel = (): number => all / Math.max(1, bar.current?.clientHeight ?? 1);
  const drag = useDrag({
    onMove: (_, dy) => {
      camera.scrollTo(camera.top.peek() + dy * perPixel());
    },
    onClick: (e) => {
      const y = (e.clientY - (bar.current?.getBoundingClientRect().top ?? 0)) * perPixel();
      if (y < top || y > top + height) camera.scrollTo(y - height / 2);
    },
  });
  if (all <= height || height === 0) return <div class="flame-rows-bar" />;
  return (
    <div
      class="flame-rows-bar on"
      ref={bar}
      role="scrollbar"
      tabIndex={0}
      aria-label="Rows of the flame graph in view"
      aria-controls="flame-boxes"
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round((top / (all - height)) * 100)}
      onPointerDown={drag}
      onKeyDown={(e) => {
        const by = { ArrowUp: -ROWS, ArrowDown: ROWS, PageUp: -height, PageDown: height, Home: -all, End: all }[e.key];
        if (by === undefined) return;
        camera.scrollTo(top + by);
        e.preventDefault();
        e.stopPropagation();
      }}
    >
      <div class="flame-thumb" style={{ top: `${(top / all) * 100}%`, height: `max(16px, ${(height / all) * 100}%)` }} />
    </div>
  );
}

/** The part of the whole width in the window; its room is kept when all is seen. */
export function SpanScrollbar({ camera }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const drag = useDrag({
    onMove: (dx) => {
      camera.pan(dx / Math.max(1, bar.current?.clientWidth ?? 1));
    },
    onClick: (e) => {
      const rect = bar.current?.getBoundingClientRect();
      const [from, to] = camera.span.peek();
      if (rect !== undefined) camera.pan((e.clientX - rect.left) / Math.max(1, rect.width) - (from + to) / 2);
    },
  });
  const [from, to] = camera.span.value;
  if (!isClose(camera)) return <div class="flame-overview" />;
  const left = Math.max(0, from);
  const spare = 1 - (to - from);
  return (
    <div
      class="flame-overview on"
      ref={bar}
      role="scrollbar"
      tabIndex={0}
      aria-label="Part of the flame graph in view"
      aria-controls="flame-boxes"
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={spare <= 0 ? 0 : Math.round((left / spare) * 100)}
      onPointerDown={drag}
      onKeyDown={(e) => {
        if (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight') return;
        camera.pan((e.key === 'ArrowLeft' ? -STEP : STEP) * (to - from));
        e.preventDefault();
      }}
    >
      <div class="flame-thumb" style={{ left: `${left * 100}%`, width: `${Math.min(1, to - left) * 100}%` }} />
    </div>
  );
}

import { useRef } from 'preact/hooks';
import { moveSpan } from '../logic/pan-zoom';
import type { FlameCamera } from './flame-camera';
import { isClose } from './flame-moves';
import { useDrag } from './use-drag';

const STEP = 0.1;

/** Which part of the whole width is in the window; drags like a scroll bar. Its room is kept when all is seen. */
export function FlameOverview({ camera }: { readonly camera: FlameCamera }) {
  const bar = useRef<HTMLDivElement>(null);
  const move = (by: number): void => {
    camera.jump(moveSpan(...camera.span.peek(), by));
  };
  const drag = useDrag({
    onMove: (dx) => {
      move(dx / Math.max(1, bar.current?.clientWidth ?? 1));
    },
    onClick: (e) => {
      const rect = bar.current?.getBoundingClientRect();
      const [from, to] = camera.span.peek();
      if (rect !== undefined) move((e.clientX - rect.left) / Math.max(1, rect.width) - (from + to) / 2);
    },
  });
  const [from, to] = camera.span.value;
  if (!isClose(camera)) return <div class="flame-overview" />;
  const left = Math.max(0, from);
  const room = 1 - (to - from);
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
      aria-valuenow={room <= 0 ? 0 : Math.round((left / room) * 100)}
      onPointerDown={drag}
      onKeyDown={(e) => {
        if (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight') return;
        move((e.key === 'ArrowLeft' ? -STEP : STEP) * (to - from));
        e.preventDefault();
      }}
    >
      <div class="flame-thumb" style={{ left: `${left * 100}%`, width: `${Math.min(1, to - left) * 100}%` }} />
    </div>
  );
}

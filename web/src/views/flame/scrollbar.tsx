import { useRef } from 'preact/hooks';
import type { FlameLayout } from '../../logic/flame/layout';
import { useDrag } from '../../ui/use-drag';
import { contentHeight, isClose, type FlameCamera } from './camera';

interface Props {
  readonly camera: FlameCamera;
}

interface BarProps {
  readonly className: string;
  /** Whether anything can be scrolled; if not, the space of the bar is kept. */
  readonly on: boolean;
  readonly label: string;
  readonly orientation: 'vertical' | 'horizontal';
  /** Start and length of the visible part, as shares of the whole. */
  readonly at: number;
  readonly part: number;
  /** Moves the visible part by a share of the whole. */
  readonly onMove: (by: number) => void;
  /** Shares of the whole for one arrow key. */
  readonly step: number;
}

const SMALLEST = '16px';

/** A scrollbar: drag the thumb, click beside it, or arrows, Page keys, Home and End. */
function Bar({ className, on, label, orientation, at, part, onMove, step }: BarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const isVertical = orientation === 'vertical';
  const length = (): number => Math.max(1, (isVertical ? bar.current?.clientHeight : bar.current?.clientWidth) ?? 1);
  const drag = useDrag({
    onMove: (dx, dy) => {
      onMove((isVertical ? dy : dx) / length());
    },
    onClick: (e) => {
      const rect = bar.current?.getBoundingClientRect();
      if (rect === undefined) return;
      const to = (isVertical ? e.clientY - rect.top : e.clientX - rect.left) / length();
      if (to < at || to > at + part) onMove(to - part / 2 - at);
    },
  });
  const [back, forth] = isVertical ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
  const [start, size] = [`${at * 100}%`, `${part * 100}%`];
  if (!on) return <div class={className} />;
  return (
    <div
      class={`${className} on`}
      ref={bar}
      role="scrollbar"
      tabIndex={0}
      aria-label={label}
      aria-controls="flame-boxes"
      aria-orientation={orientation}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={part >= 1 ? 0 : Math.round((at / (1 - part)) * 100)}
      onPointerDown={drag}
      onKeyDown={(e) => {
        const moves: Readonly<Record<string, number>> = { [back]: -step, [forth]: step, PageUp: -part, PageDown: part, Home: -1, End: 1 };
        const by = moves[e.key];
        if (by === undefined) return;
        onMove(by);
        e.preventDefault();
        e.stopPropagation();
      }}
    >
      <div class="flame-thumb" style={isVertical ? { top: start, height: `max(${SMALLEST}, ${size})` } : { left: start, width: size }} />
    </div>
  );
}

const ROWS = 60;

/** Vertical scrollbar, visible if not all rows fit. */
export function RowScrollbar({ camera, layout }: Props & { readonly layout: FlameLayout }) {
  const all = contentHeight(layout);
  const { height } = camera.size.value;
  const top = camera.top.value;
  return (
    <Bar
      className="flame-rows-bar"
      on={height > 0 && all > height}
      label="Rows of the flame graph in view"
      orientation="vertical"
      at={top / all}
      part={height / all}
      step={ROWS / all}
      onMove={(by) => {
        camera.scrollTo(camera.top.peek() + by * all);
      }}
    />
  );
}

const STEP = 0.1;

/** Horizontal scrollbar; its space is kept if the whole width is visible. */
export function SpanScrollbar({ camera }: Props) {
  const [from, to] = camera.span.value;
  const left = Math.max(0, from);
  return (
    <Bar
      className="flame-overview"
      on={isClose(camera)}
      label="Part of the flame graph in view"
      orientation="horizontal"
      at={left}
      part={Math.min(1, to - left)}
      step={STEP * (to - from)}
      onMove={(by) => {
        camera.pan(by);
      }}
    />
  );
}

import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { FlameReport } from '../../api/types';
import { numberAt } from '../../logic/number-at';
import { formatPercent, formatValue } from '../../logic/text/format';
import type { Hover } from '../../ui/use-hover';
import { contentHeight } from './camera';
import { flameKeys, type FlameKeys } from './keys';
import { useFlamePointer } from './use-pointer';
import { usePainting, type Painting } from './use-painting';
import { useWheel } from './wheel';

export interface FlameCanvasProps extends FlameKeys, Painting {
  readonly report: FlameReport;
  readonly hover: Signal<Hover | undefined>;
  /** Box that was clicked; −1 outside of all boxes. */
  readonly onPick: (box: number) => void;
  /** The wheel was turned without a modifier key. */
  readonly onPlainWheel: () => void;
}

/** Canvas with the boxes, their pointer and key handlers, and the box at the cursor as text for screen readers. */
export function FlameCanvas(props: FlameCanvasProps) {
  const { report, layout, camera, cursor, hover } = props;
  const { scroller, size, top } = camera;
  const canvas = useRef<HTMLCanvasElement>(null);
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

  usePainting(canvas, props);
  const pointer = useFlamePointer(props);

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
      {...pointer}
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
  const name = report.row[numberAt(report.node, box)]?.name ?? (box === 0 ? 'all memory' : 'smaller ones');
  const cum = numberAt(report.cum, box);
  return Number.isNaN(cum) ? name : `${name}: ${formatValue(cum, header.unit)}, ${formatPercent(cum, header.value_total)}`;
}

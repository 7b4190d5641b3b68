import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SizesReport } from '../../api/types';
import { formatValue } from '../../logic/text/format';
import { classExact, isEmpty, nextFull, unitOf, valueOf, type Bar, type Measure, type Scale } from '../../logic/size-chart';
import { hoverHandlers, type Hover } from '../../ui/use-hover';
import { useSize } from '../../ui/use-size';
import { HEIGHT, LEFT, RIGHT, SizeDrawing } from './drawing';
import { SizeTooltip } from './tooltip';

interface Props {
  readonly report: SizesReport;
  readonly measure: Measure;
  readonly bars: readonly Bar[];
  readonly scale: Scale;
  readonly chosen: number;
  readonly onChoose: (i: number, how: 'go' | 'adjust') => void;
  /** Moves the focus to the functions. */
  readonly onOpen: (from: HTMLElement) => void;
}

const FIRST = { width: 900, height: HEIGHT };
const WIDEST = 72;

/** Bars in the colours of their packages; with a base its outline behind them. Arrows move, Enter focuses the functions. */
export function SizeChart({ report, measure, bars, scale, chosen, onChoose, onOpen }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const hover = useSignal<Hover | undefined>(undefined);
  const { width } = useSize(box, FIRST).value;
  const n = report.class.length;
  const bar = Math.min(WIDEST, (width - LEFT - RIGHT) / Math.max(1, n));
  const at = (clientX: number): number => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    return Math.floor((clientX - left - LEFT) / bar);
  };
  const nearest = (i: number): number => {
    const found = report.class[i];
    return found === undefined || isEmpty(found) ? -1 : i;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, () => number>> = {
      ArrowRight: () => nextFull(report, chosen, 1),
      ArrowUp: () => nextFull(report, chosen, 1),
      ArrowLeft: () => nextFull(report, chosen, -1),
      ArrowDown: () => nextFull(report, chosen, -1),
      Home: () => nextFull(report, -1, 1),
      End: () => nextFull(report, n, -1),
    };
    const to = moves[event.key]?.();
    if (to !== undefined) onChoose(to, 'adjust');
    else if (event.key === 'Enter' && event.currentTarget instanceof HTMLElement) onOpen(event.currentTarget);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const now = report.class[chosen];
  const { unit, outputUnit } = { unit: unitOf(report, measure), outputUnit: report.header.output_unit };
  return (
    <div
      class="size-chart"
      ref={box}
      tabIndex={0}
      data-home
      role="slider"
      aria-label="Size class; arrows move, Enter leads to its functions"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, n - 1)}
      aria-valuenow={chosen}
      aria-valuetext={now === undefined ? '' : `${classExact(now)}: ${formatValue(valueOf(now.sum, measure), unit, outputUnit)} ${measure}`}
      onKeyDown={onKeyDown}
      {...hoverHandlers(hover, (e) => nearest(at(e.clientX)))}
      onClick={(e) => {
        const i = nearest(at(e.clientX));
        if (i >= 0) onChoose(i, 'go');
      }}
    >
      <SizeDrawing report={report} bars={bars} scale={scale} chosen={chosen} width={width} bar={bar} />
      {hover.value !== undefined && <SizeTooltip report={report} measure={measure} hover={hover.value} />}
    </div>
  );
}

import type { Signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { GrowthReport } from '../../api/types';
import { formatValue } from '../../logic/text/format';
import { secondsOf } from '../../logic/timeline/any-time';
import type { Stack } from '../../logic/timeline/bands';
import { frameOf } from '../../logic/timeline/chart-geometry';
import type { Marks } from '../../logic/timeline/shown-dumps';
import { dumpNumbers, type Axis } from '../../logic/timeline/scale';
import { dumpNoun, placeWord, whenOf } from '../../logic/timeline/text';
import type { Store } from '../../state/store';
import { TimelineAreas } from '../shared/stacked-areas';
import { chartInput } from './input';
import { TimelineOverlay, type Reach } from './overlay';
import { TimelineTip } from './tooltip';
import { useSize } from '../../ui/use-size';

interface Props {
  readonly store: Store;
  readonly report: GrowthReport;
  readonly stack: Stack;
  readonly axis: Axis;
  readonly marks: Marks;
  /** Band → whether it is highlighted. */
  readonly lit: readonly boolean[];
  readonly hovered: Signal<number>;
  /** Dump under the pointer or the keyboard cursor; a range while one is dragged. */
  readonly reach: Signal<Reach | undefined>;
}

const FIRST = { width: 900, height: 260 };

/** The areas with their pointer and key handlers. */
export function TimelineChart({ store, report, stack, axis, marks, lit, hovered, reach }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box, FIRST);
  const { width, height } = size.value;
  const numbers = useMemo(() => dumpNumbers(report, store.meta.peek()?.dumps ?? []), [report]);
  const frame = useMemo(() => frameOf(report, stack, axis, width, height, numbers), [report, stack, axis, width, height, numbers]);
  const n = report.dump.length;
  const input = chartInput({ store, report, stack, marks, frame, box, hovered, reach });
  const bottom = (): number => (box.current?.getBoundingClientRect().bottom ?? 0) - 4;
  const spoken = reach.value?.at ?? marks.shown;
  return (
    <div
      class="timeline-chart"
      ref={box}
      tabIndex={0}
      data-home
      role="slider"
      aria-label={`Memory over time. Arrows move, Enter shows the ${dumpNoun(report)}, Shift and arrows then Enter compare two. The tables below have the same numbers.`}
      aria-valuemin={1}
      aria-valuemax={n}
      aria-valuenow={Math.max(0, spoken) + 1}
      aria-valuetext={valueText(report, marks, spoken)}
      {...input}
    >
      <TimelineAreas report={report} stack={stack} frame={frame} lit={lit} hovered={hovered} />
      <TimelineOverlay frame={frame} marks={marks} reach={reach} times={report.axis === 's' ? secondsOf(store.url.value) : []} />
      {store.menu.value === undefined && <TimelineTip report={report} stack={stack} reach={reach} hovered={hovered} above={bottom} />}
    </div>
  );
}

/** The dump at `at`, as text. */
function valueText(report: GrowthReport, marks: Marks, at: number): string {
  const n = report.dump.length;
  const dump = report.dump[at];
  if (dump === undefined) return `${n} ${dumpNoun(report)}s`;
  const value = formatValue(dump.total, report.header.unit, report.header.output_unit);
  return `${placeWord(report, at)}, ${whenOf(report, at)}: ${value}${at === marks.shown ? ', current' : ''}${at === marks.base ? ', baseline' : ''}`;
}

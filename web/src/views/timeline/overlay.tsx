import type { ReadonlySignal } from '@preact/signals';
import type { Frame } from '../../logic/timeline/chart-geometry';
import type { Marks } from '../../logic/timeline/shown-dumps';

/** The dump at the pointer or the keyboard cursor, and the one where a range began. */
export interface Reach {
  readonly at: number;
  readonly from: number;
  /** While a range is dragged one of whose ends is no dump: both, as times. */
  readonly times?: readonly [string, string] | undefined;
  /** Position of the tooltip, in pixels of the window. */
  readonly x: number;
  readonly y: number;
}

interface Props {
  readonly frame: Frame;
  readonly marks: Marks;
  readonly reach: ReadonlySignal<Reach | undefined>;
  /** Times between the dumps that are shown, in seconds. */
  readonly times: readonly number[];
}

/** Marks over the areas: the current dump, the baseline, and the dump at the pointer. */
export function TimelineOverlay({ frame, marks, reach, times }: Props) {
  const now = reach.value;
  const drawing = now !== undefined && now.from !== now.at;
  const [from, to] = drawing ? [now.from, now.at] : [marks.base, marks.shown];
  const [left, right] = [Math.min(frame.x(from), frame.x(to)), Math.max(frame.x(from), frame.x(to))];
  const has = (at: number): boolean => at >= 0;
  return (
    <svg class="timeline-over" width={frame.width} height={frame.height} viewBox={`0 0 ${frame.width} ${frame.height}`} aria-hidden="true">
      {has(from) && has(to) && from !== to && (
        <rect
          class={drawing ? 'timeline-range drawing' : 'timeline-range'}
          x={left}
          width={right - left}
          y={frame.top}
          height={frame.bottom - frame.top}
        />
      )}
      {now !== undefined && <line class="timeline-hover" x1={frame.x(now.at)} x2={frame.x(now.at)} y1={frame.top} y2={frame.bottom} />}
      {!drawing && times.map((time) => <TimeMark key={time} frame={frame} time={time} />)}
      {!drawing && has(marks.base) && <Mark frame={frame} at={marks.base} text="baseline" kind="base" other={marks.shown} />}
      {!drawing && has(marks.shown) && <Mark frame={frame} at={marks.shown} text="current" kind="shown" other={marks.base} />}
    </svg>
  );
}

/** A shown time that is no dump. */
function TimeMark({ frame, time }: { readonly frame: Frame; readonly time: number }) {
  const x = frame.xOf(time);
  return (
    <g class="timeline-mark shown" data-mark="time" data-time={time}>
      <line x1={x} x2={x} y1={frame.top} y2={frame.bottom} />
      <path d={`M${x - 5},${frame.bottom + 7}L${x},${frame.bottom + 1}L${x + 5},${frame.bottom + 7}Z`} />
    </g>
  );
}

interface MarkProps {
  readonly frame: Frame;
  readonly at: number;
  readonly text: string;
  readonly kind: 'shown' | 'base';
  /** The other mark: names are placed away from it. */
  readonly other: number;
}

const NAME = 52;

/** Distance of a second line of names. */
const LINE = 14;

/** Position of a mark's name: away from the other mark if there is space. */
function nameOf(frame: Frame, at: number, other: number): { readonly isRight: boolean; readonly from: number; readonly to: number } {
  const x = frame.x(at);
  const wantsRight = other >= 0 ? other < at : x < (frame.left + frame.right) / 2;
  const [fitsRight, fitsLeft] = [x + NAME < frame.width, x - NAME > frame.left];
  const isRight = wantsRight ? fitsRight || !fitsLeft : !fitsLeft;
  return isRight ? { isRight, from: x, to: x + NAME } : { isRight, from: x - NAME, to: x };
}

function Mark({ frame, at, text, kind, other }: MarkProps) {
  const x = frame.x(at);
  const { isRight, from, to } = nameOf(frame, at, other);
  // Near the edge both names may have room on one side only.
  const beside = other < 0 ? undefined : nameOf(frame, other, at);
  const isBelow = kind === 'base' && beside !== undefined && from < beside.to && beside.from < to;
  return (
    <g class={`timeline-mark ${kind}`} data-mark={kind} data-at={at}>
      <line x1={x} x2={x} y1={frame.top} y2={frame.bottom} />
      <path d={`M${x - 5},${frame.bottom + 7}L${x},${frame.bottom + 1}L${x + 5},${frame.bottom + 7}Z`} />
      <text x={isRight ? x + 5 : x - 5} y={frame.top + 10 + (isBelow ? LINE : 0)} text-anchor={isRight ? 'start' : 'end'}>
        {text}
      </text>
    </g>
  );
}

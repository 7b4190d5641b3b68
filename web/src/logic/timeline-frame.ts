import type { GrowthReport } from '../api/types';
import type { Tick } from './size-chart';
import { drawnDumps, type Stack } from './timeline-bands';
import { acrossTicks, gapsOf, nearestPlace, placesOf, valueAxis, type Axis } from './timeline-scale';

/** The timeline's picture in pixels. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Edges of the areas. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Dump of the series → pixels from the left. */
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  /** Pixels from the top → value. */
  readonly valueAt: (y: number) => number;
  /** Pixels from the left → the dump nearest to them. */
  readonly nearest: (x: number) => number;
  readonly down: readonly Tick[];
  readonly across: readonly Tick[];
  /** Dumps that outlines go through: all, or those that can be told apart. */
  readonly drawn: readonly number[];
  /** Dumps after which there is nothing for long. */
  readonly gaps: readonly number[];
  /** Pixels from the top of the limit; undefined when it is none, or far above. */
  readonly limit: number | undefined;
}

const [LEFT, RIGHT, TOP, BOTTOM] = [72, 14, 8, 26];

/** A limit so many times above the highest would make everything else small. */
const FAR = 5;

export function frameOf(report: GrowthReport, stack: Stack, axis: Axis, width: number, height: number): Frame {
  const [right, bottom] = [Math.max(LEFT + 1, width - RIGHT), Math.max(TOP + 1, height - BOTTOM)];
  const [inner, tall] = [right - LEFT, bottom - TOP];
  const places = placesOf(report, axis);
  const { limit } = report;
  const near = limit > 0 && limit <= stack.high * FAR;
  const scale = valueAxis(stack.low, near ? Math.max(stack.high, limit) : stack.high, report.header.unit);
  const y = (value: number): number => TOP + tall * (1 - scale.at(value));
  const [zero, one] = [scale.at(0), scale.at(1)];
  return {
    width,
    height,
    left: LEFT,
    right,
    top: TOP,
    bottom,
    x: (at) => LEFT + inner * (places[at] ?? 0),
    y,
    valueAt: (pixels) => (1 - (pixels - TOP) / tall - zero) / (one - zero),
    nearest: (pixels) => nearestPlace(places, (pixels - LEFT) / inner),
    down: scale.ticks,
    across: acrossTicks(report, axis, inner),
    drawn: drawnDumps(
      report.dump.map(({ total }) => total),
      places,
      inner,
    ),
    gaps: gapsOf(report, axis),
    limit: near ? y(limit) : undefined,
  };
}

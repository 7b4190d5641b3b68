import type { GrowthReport } from '../../api/types';
import type { Tick } from '../size-chart';
import { courseOf, isOfMoments } from '../recording';
import { drawnDumps, type Stack } from './bands';
import { acrossTicks, gapsOf, nearestPlace, placesOf, spanOf, valueAxis, type Axis } from './scale';

/** Forecast line from the last dump to the limit or the edge of the chart, in pixels. */
export interface Forecast {
  readonly x: number;
  readonly y: number;
  /** The line ends at the limit. */
  readonly reaches: boolean;
}

/** A line over the areas. */
export interface Curve {
  readonly name: string;
  /** SVG path. */
  readonly path: string;
  /** Where its name ends, in pixels from the top. */
  readonly end: number;
}

/** Geometry of the timeline's chart, in pixels. */
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
  /** Place on the time axis → pixels from the left, and the inverse. */
  readonly xOf: (time: number) => number;
  readonly timeAt: (x: number) => number;
  readonly down: readonly Tick[];
  readonly across: readonly Tick[];
  /** Dumps that outlines go through: all, or those that can be distinguished. */
  readonly drawn: readonly number[];
  /** Dumps followed by a long gap. */
  readonly gaps: readonly number[];
  /** Pixels from the top of the limit; undefined without one. */
  readonly limit: number | undefined;
  /** The limit is above the chart. */
  readonly isLimitAbove: boolean;
  readonly forecast: Forecast | undefined;
  /** Resident memory of a recorded process as an SVG path; undefined where it is unknown, of another unit or far above. */
  readonly rss: string | undefined;
  /** Memory of the whole recording where only some moments have stacks: requested bytes, and all that is known. */
  readonly curves: readonly Curve[];
  /** The moment at which most memory was in use; −1 for dumps. */
  readonly peak: number;
}

const [LEFT, RIGHT, TOP, BOTTOM] = [72, 14, 8, 26];

/** A limit is drawn only up to this multiple of the highest total. */
const FAR = 2.5;
/** Longest forecast, as a share of the observed time. */
const AHEAD = 0.5;

export function frameOf(report: GrowthReport, stack: Stack, axis: Axis, width: number, height: number, numbers?: readonly number[]): Frame {
  const [right, bottom] = [Math.max(LEFT + 1, width - RIGHT), Math.max(TOP + 1, height - BOTTOM)];
  const [inner, tall] = [right - LEFT, bottom - TOP];
  const { limit } = report;
  const ahead = aheadOf(report, axis);
  // Observed values end before the forecast starts.
  const seen = 1 / (1 + (ahead?.share ?? 0));
  const places = placesOf(report, axis).map((place) => place * seen);
  const near = limit > 0 && limit <= stack.high * FAR;
  const rss = rssOf(report, stack.high);
  const courses = coursesOf(report);
  const most = courses.reduce((most, { values }) => values.reduce((a, b) => Math.max(a, b), most), 0);
  const highest = Math.max(stack.high, near ? limit : 0, ahead?.value ?? 0, most, ...rss);
  const scale = valueAxis(stack.low, highest, report.header.unit);
  const y = (value: number): number => TOP + tall * (1 - scale.at(value));
  const [zero, one] = [scale.at(0), scale.at(1)];
  const isLimitAbove = limit > 0 && scale.at(limit) > 1;
  const peak = isLive(report) ? report.dump.findIndex(({ moment }) => moment?.is_peak === true) : -1;
  const x = (at: number): number => LEFT + inner * (places[at] ?? 0);
  const [first, last] = spanOf(report);
  const [span, observed] = [Math.max(last - first, Number.MIN_VALUE), inner * seen];
  return {
    width,
    height,
    left: LEFT,
    right,
    top: TOP,
    bottom,
    x,
    y,
    valueAt: (pixels) => (1 - (pixels - TOP) / tall - zero) / (one - zero),
    nearest: (pixels) => {
      const at = nearestPlace(places, (pixels - LEFT) / inner);
      // The peak may share its stamp with another moment.
      return peak >= 0 && at >= 0 && Math.abs(x(peak) - x(at)) < 1 ? peak : at;
    },
    xOf: (time) => LEFT + (observed * (time - first)) / span,
    timeAt: (pixels) => first + Math.min(1, Math.max(0, (pixels - LEFT) / observed)) * span,
    down: scale.ticks,
    across: acrossTicks(report, axis, inner * seen, numbers).map((tick) => ({ ...tick, at: tick.at * seen })),
    drawn: drawnDumps(
      report.dump.map(({ total }) => total),
      places,
      inner,
    ),
    gaps: gapsOf(report, axis),
    limit: limit <= 0 ? undefined : isLimitAbove ? TOP : y(limit),
    isLimitAbove,
    forecast: ahead === undefined ? undefined : { x: right, y: y(ahead.value), reaches: ahead.reaches },
    rss: rss.length === 0 ? undefined : stepsOf(rss, x, y),
    curves: courses.map(({ name, values }) => ({
      name,
      path: lineOf(values, report, (share) => LEFT + inner * seen * share, y),
      end: y(values.at(-1) ?? 0),
    })),
    peak,
  };
}

/** Whether a recording is drawn by its memory in use. */
function isLive(report: Pick<GrowthReport, 'dump' | 'header'>): boolean {
  return isOfMoments(report) && courseOf(report.header.value_type) === 'live';
}

/** Dump → resident memory; empty unless bytes in use are drawn and it is near them. */
function rssOf(report: Pick<GrowthReport, 'dump' | 'header'>, high: number): readonly number[] {
  if (!isLive(report) || report.header.unit !== 'bytes') return [];
  const rss = report.dump.map((dump) => dump.rss ?? 0);
  const most = rss.reduce((a, b) => Math.max(a, b), 0);
  return most > 0 && most <= high * FAR ? rss : [];
}

/** Values at the points of a recording's curve: the heap's, and with overhead and stacks if there are any. */
function coursesOf(report: GrowthReport): readonly { readonly name: string; readonly values: readonly number[] }[] {
  const { curve = [] } = report;
  if (!isLive(report) || curve.length < 2) return [];
  const all = curve.map(({ heap, extra, stacks }) => heap + extra + stacks);
  const heap = { name: 'heap', values: curve.map((point) => point.heap) };
  const isMore = all.some((value, i) => value > (heap.values[i] ?? 0));
  const hasStacks = curve.some(({ stacks }) => stacks > 0);
  return isMore ? [heap, { name: hasStacks ? 'with overhead and stacks' : 'with overhead', values: all }] : [heap];
}

/** A line through the points of a recording's curve. */
function lineOf(values: readonly number[], report: GrowthReport, x: (share: number) => number, y: (value: number) => number): string {
  const round = (pixels: number): number => Math.round(pixels * 10) / 10;
  const [first, last] = spanOf(report);
  const share = (i: number): number => ((report.curve?.[i]?.at ?? 0) - first) / Math.max(last - first, Number.MIN_VALUE);
  return values.map((value, i) => `${i === 0 ? 'M' : 'L'}${round(x(share(i)))},${round(y(value))}`).join('');
}

/** A line that stays at each value until the next; it starts at the first that is known. */
function stepsOf(values: readonly number[], x: (at: number) => number, y: (value: number) => number): string {
  const round = (pixels: number): number => Math.round(pixels * 10) / 10;
  const first = values.findIndex((value) => value > 0);
  return values
    .slice(first)
    .map((value, i) => (i === 0 ? `M${round(x(first))},${round(y(value))}` : `H${round(x(first + i))}V${round(y(value))}`))
    .join('');
}

/** Length of the forecast as a share of the observed time, and the total at its end; undefined without a limit ahead. */
function aheadOf(
  { limit, until_limit: until, total, dump, axis: unit }: GrowthReport,
  axis: Axis,
): { readonly share: number; readonly value: number; readonly reaches: boolean } | undefined {
  const [, likely] = until;
  const span = (dump.at(-1)?.at ?? 0) - (dump[0]?.at ?? 0);
  // The rate is per unit of the server's axis: on another axis the forecast is not a line.
  const isOtherAxis = unit === 's' && axis !== 'time';
  if (limit <= total.last || likely === undefined || likely <= 0 || span <= 0 || isOtherAxis) return undefined;
  const length = Math.min(likely, span * AHEAD);
  return { share: length / span, value: total.last + ((limit - total.last) * length) / likely, reaches: length === likely };
}

import type { GrowthReport } from '../../api/types';
import { timesOf } from '../recording';
import type { ViewUrl } from '../url/view-url';
import type { Frame } from './chart-geometry';

/** Times between the moments of a recording: what a click on its chart means, and where times of the address are drawn. */

/** Pixels within which a click means the moment that the chart has. */
const NEAR = 4;

/** A position on the chart: the dump nearest to it, and the time if that is another. */
export interface ChartPoint {
  readonly at: number;
  /** As the address has it, e.g. `12.5s`; empty: the dump is meant. */
  readonly time: string;
}

/** The position at `x` pixels. `hasAnyTime`: the state at any time can be shown. */
export function pointAt(frame: Frame, report: Pick<GrowthReport, 'dump'>, x: number, hasAnyTime: boolean): ChartPoint {
  const at = frame.nearest(x);
  const [begin, end] = [0, report.dump.length - 1].map((i) => frame.x(i));
  const isNear = Math.abs(frame.x(at) - x) <= NEAR || x > (end ?? 0);
  if (!hasAnyTime || isNear || (begin === end && report.dump.length > 1)) return { at, time: '' };
  // No more digits than a pixel has.
  const pixel = frame.timeAt(x) - frame.timeAt(x - 1) || frame.timeAt(x + 1) - frame.timeAt(x);
  const digits = Math.min(9, Math.max(0, Math.ceil(-Math.log10(pixel))));
  const seconds = frame.timeAt(x);
  const inMillis = `${String(Number((seconds * 1000).toFixed(Math.max(0, digits - 3))))}ms`;
  return { at, time: seconds < 1 ? inMillis : `${String(Number(seconds.toFixed(digits)))}s` };
}

/** A position as a time of the address. */
function timeOf({ at, time }: ChartPoint, { dump }: Pick<GrowthReport, 'dump'>): string {
  const one = dump[at];
  if (time !== '' || one === undefined) return time;
  return one.moment?.is_peak === true ? 'peak' : one.moment?.is_end === true ? 'end' : `${String(one.at)}s`;
}

const UNITS: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, min: 60, m: 60, h: 3600 };

/** A time of the address in seconds; not a number for a word or another clock. */
function parsed(text: string): number {
  const parts = [...text.matchAll(/([\d.]+)([a-zµ]+)/g)];
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text;
  return isWhole ? parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (UNITS[unit] ?? Number.NaN), 0) : Number.NaN;
}

/** The times that an address names, in seconds; those in words or of another clock are left out. */
export function secondsOf(url: ViewUrl): readonly number[] {
  return timesOf(url)
    .split(' to ')
    .map(parsed)
    .filter((seconds) => Number.isFinite(seconds));
}

/** Two positions as times, the earlier one first; undefined when both are dumps. */
export function timesBetween(report: Pick<GrowthReport, 'dump'>, a: ChartPoint, b: ChartPoint): readonly [string, string] | undefined {
  if (a.time === '' && b.time === '') return undefined;
  const seconds = ({ at, time }: ChartPoint): number => (time === '' ? (report.dump[at]?.at ?? 0) : parsed(time));
  const [early, late] = seconds(a) <= seconds(b) ? [a, b] : [b, a];
  return [timeOf(early, report), timeOf(late, report)];
}

import type { GrowthReport, GrowthShape, Trend } from '../../api/types';
import { formatCount, formatTime, formatValue, plural } from '../text/format';
import { baseName } from '../names/names';
import { isOfMoments } from '../recording';
import { formatOnAxis, isCounted, momentName } from '../text/elapsed';
import { formatSpan } from './scale';

/** Texts about growth: shapes, slopes, when it began and when a limit is reached. */

const SHAPES: Readonly<Record<GrowthShape, readonly [string, string]>> = {
  leak: ['leak', 'Grows to the end'],
  step: ['step', 'Grew in one jump or a few, and stayed there'],
  plateau: ['plateau', 'Grew, then stays'],
  sawtooth: ['sawtooth', 'Grows and falls back again and again'],
  noise: ['up and down', 'Goes up and down without direction'],
  shrinking: ['shrinking', 'Shrinks'],
  flat: ['flat', 'Hardly changes'],
  unknown: ['', 'Too few dumps or samples, or too small beside the others, to classify'],
};

/** A shape in a word or two, as in the terminal. */
export function shapeWord({ shape, in_steps: inSteps }: Pick<Trend, 'shape' | 'in_steps'>): string {
  return SHAPES[shape][0] + (inSteps ? ', in steps' : '');
}

/** A shape in a sentence. */
export function shapeHint({ shape, in_steps: inSteps }: Pick<Trend, 'shape' | 'in_steps'>): string {
  return inSteps ? 'Grows in jumps with pauses, like a vector that doubles when it is full' : SHAPES[shape][1];
}

/** Nouns for rows of the growth table, singular and plural. */
export function growthNoun(by: string): readonly [string, string] {
  const plural = by === 'culprits' || by === '' ? 'functions' : by;
  return [plural.replace(/s$/, ''), plural];
}

/** The unit that slopes are per: one for a whole report. */
export interface Pace {
  /** Its length in units of the axis. */
  readonly size: number;
  readonly name: string;
}

const [MINUTE, HOUR, DAY] = [60, 3600, 86400];
const SEVERAL = 3;

/** The largest unit of time that the series spans several of, like in the terminal. */
export function paceOf({ axis, dump }: Pick<GrowthReport, 'axis' | 'dump'>): Pace {
  if (isCounted({ axis })) return { size: 1, name: axis === 'MiB' ? 'MiB allocated' : axis === 'Munit' ? 'M units' : 'M instructions' };
  if (axis !== 's') return { size: 1, name: 'dump' };
  const span = (dump.at(-1)?.at ?? 0) - (dump[0]?.at ?? 0);
  if (span < SEVERAL && isOfMoments({ dump })) return { size: 0.001, name: 'ms' };
  if (span < SEVERAL * MINUTE) return { size: 1, name: 's' };
  if (span < SEVERAL * HOUR) return { size: MINUTE, name: 'min' };
  return span < SEVERAL * DAY ? { size: HOUR, name: 'h' } : { size: DAY, name: 'd' };
}

/** A number of a slope: whole bytes, but parts of objects. */
function amount(value: number, unit: string, like: number, outputUnit: string): readonly [string, string] {
  const isCount = formatValue(1, unit) === '1';
  if (isCount) {
    const digits = Math.abs(like) >= 100 ? 0 : Math.abs(like) >= 1 ? 1 : 3;
    return [Number(value.toFixed(digits)).toLocaleString('en-US').replace('-', '−'), ''];
  }
  const [size = '', symbol = ''] = formatValue(like, unit, outputUnit).split(' ');
  const [number = '', printed = ''] = formatValue(value, unit, symbol === 'B' ? 'auto' : symbol).split(' ');
  // As many digits as the larger of the two needs.
  return [size.includes('.') && !/\.\d\d/.test(size) ? rounded(number) : number, printed];
}

/** `1,234.56` with one decimal. */
function rounded(number: string): string {
  const value = Number(number.replaceAll(',', '').replace('−', '-'));
  return value.toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).replace('-', '−');
}

type Slope = Pick<Trend, 'slope' | 'slope_low' | 'slope_high' | 'shape'> & Partial<Pick<Trend, 'in_steps'>>;

/** `+1.20 ± 0.10 MiB`, for a column that names the unit of time; the error is half of the 95 % confidence interval. */
export function slopeText(
  { slope, slope_low: low, slope_high: high, shape, in_steps: inSteps = false }: Slope,
  unit: string,
  pace: Pace,
  outputUnit = 'auto',
): string {
  // With too few dumps there is no error; for jumps it has no meaning.
  const half = Math.abs((high - low) / 2);
  const isUncertain = shape === 'unknown' || (inSteps && half > slope);
  const [value, error] = [slope * pace.size, isUncertain ? 0 : half * pace.size];
  const like = Math.max(Math.abs(value), error);
  if (like === 0) return '±0';
  const [number, symbol] = amount(value, unit, like, outputUnit);
  const [around] = amount(error, unit, like, outputUnit);
  const sign = value > 0 ? '+' : '';
  return `${sign}${number}${error > 0 ? ` ± ${around}` : ''}${symbol === '' ? '' : ` ${symbol}`}`;
}

/** The same with its unit: `+1.20 ± 0.10 MiB/h`. */
export function formatSlope(slope: Slope, unit: string, pace: Pace, outputUnit = 'auto'): string {
  const text = slopeText(slope, unit, pace, outputUnit);
  return text === '±0' ? text : `${text}/${pace.name}`;
}

/** `+1.20 MiB/h`. */
export function formatRate(slope: number, unit: string, pace: Pace, outputUnit = 'auto'): string {
  return formatSlope({ slope, slope_low: 0, slope_high: 0, shape: 'unknown' }, unit, pace, outputUnit);
}

/** Confidence interval as text, for tooltips. */
export function slopeHint({ slope_low: low, slope_high: high, shape, p }: Trend, unit: string, pace: Pace): string {
  if (shape === 'unknown') return 'From the first dump to the last; more dumps are needed for a confidence interval';
  const ends = `${formatRate(low, unit, pace)} to ${formatRate(high, unit, pace)}`;
  return `95% confidence: ${ends} (${formatChance(p)})`;
}

function formatChance(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`;
}

/** Whether growth or shrinkage is significant: the interval does not contain 0. */
export function isSure({ slope_low: low, slope_high: high, shape }: Slope): boolean {
  return shape !== 'unknown' && (low > 0 || high < 0);
}

/** Whether growth is harmful: significant, and still in use at the end. */
export function isHarm({ shape, slope_low: low, first, last, peak }: Slope & Pick<Trend, 'first' | 'last' | 'peak'>): boolean {
  return shape === 'leak' && low > 0 && last > first && last - first >= (peak - first) / 2;
}

/** ` of 12.3 KiB` for a step; empty for other shapes. */
export function stepSize({ shape, first, last }: Pick<Trend, 'shape' | 'first' | 'last'>, unit: string, outputUnit: string): string {
  return shape === 'step' && last > first ? ` of ${formatValue(last - first, unit, outputUnit)}` : '';
}

/** Nouns for the dumps of a series. */
export function dumpNoun(report: Pick<GrowthReport, 'dump'>): 'dump' | 'moment' {
  return isOfMoments(report) ? 'moment' : 'dump';
}

/** Position of a dump in the series: `dump 3 of 12`. */
export function placeWord(report: Pick<GrowthReport, 'dump'>, at: number): string {
  return `${dumpNoun(report)} ${formatCount(at + 1)} of ${formatCount(report.dump.length)}`;
}

/** When a dump was taken: its time, else how long after the first, else its file's name. */
export function whenOf(report: Pick<GrowthReport, 'dump' | 'axis' | 'at_exit'>, at: number): string {
  const found = report.dump[at];
  if (found === undefined) return '';
  if (found.moment) return momentName(found.moment);
  return found.dump === report.at_exit?.dump ? `${momentOf(report, at)} (dump at exit)` : momentOf(report, at);
}

function momentOf({ dump, axis }: Pick<GrowthReport, 'dump' | 'axis'>, at: number): string {
  const found = dump[at];
  if (found === undefined) return '';
  const time = formatTime(found.time_nanos);
  if (time !== '') return time;
  return axis === 's' && found.at > 0 ? `${formatSpan(found.at)} after the first` : baseName(found.name);
}

/** Short time of a dump: without the day if all dumps are from one; empty if unknown. */
function clockOf({ dump }: Pick<GrowthReport, 'dump'>, at: number): string {
  const days = new Set(dump.map(({ time_nanos: time }) => formatTime(time).slice(0, 10)));
  return formatTime(dump[at]?.time_nanos ?? 0).slice(days.size === 1 ? 11 : 5);
}

/** Short label of a dump: `3 · 10:30`; of a moment its time. */
export function sinceOf(report: Pick<GrowthReport, 'dump'>, at: number): string {
  const moment = report.dump[at]?.moment;
  if (moment) return momentName(moment);
  const clock = clockOf(report, at);
  return clock === '' ? `dump ${formatCount(at + 1)}` : `${formatCount(at + 1)} · ${clock}`;
}

/** Time or number of dumps from one dump to another: `1 h 20 min`, `5 dumps`. */
export function lengthBetween({ dump, axis }: Pick<GrowthReport, 'dump' | 'axis'>, from: number, to: number): string {
  if (isOfMoments({ dump })) return formatOnAxis((dump[to]?.at ?? 0) - (dump[from]?.at ?? 0), axis);
  if (axis === 's') return formatSpan((dump[to]?.at ?? 0) - (dump[from]?.at ?? 0));
  return to - from === 1 ? '1 dump' : `${formatCount(to - from)} dumps`;
}

/** When the limit is reached; empty without one. */
export function limitSentence(report: GrowthReport): string {
  const { limit, until_limit: until, header, total, axis } = report;
  if (limit === 0) return '';
  const what = formatValue(limit, header.unit, header.output_unit);
  if (total.last >= limit) return `${what} is already exceeded`;
  const [soonest, likely, latest] = until;
  const far = (length: number): string =>
    isCounted({ axis }) ? formatOnAxis(length, axis) : axis === 's' ? formatSpan(length) : plural(Math.ceil(length), 'more dump');
  if (likely === undefined || soonest === undefined) return `No growth: ${what} will not be reached`;
  const ends = latest === undefined ? `${far(soonest)} at the earliest, or never` : `${far(soonest)} to ${far(latest)}`;
  const text = `At this rate, ${what} is reached in about ${far(likely)}`;
  // Too few dumps for an interval.
  return far(soonest) === far(latest ?? -1) ? text : `${text} (${ends})`;
}

/** A limit as the server reads it: a number with a unit of bytes, such as `8GiB` or `500 MB`; for counts a number. */
export function isLimit(text: string): boolean {
  return /^\s*\d+(\.\d+)?\s*([kmgt]?(ib|b)?)\s*$/i.test(text);
}

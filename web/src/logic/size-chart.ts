import type { SizeClass, SizesReport, SizeSum } from '../api/types';
import { formatCount, formatValue } from './text/format';

/** Geometry and labels of the size histogram. */

export type Measure = 'bytes' | 'objects';

/** Measure of the chart, by the current value type. */
export function measureOf(report: SizesReport): Measure {
  return report.objects_type !== '' && report.header.value_type === report.objects_type ? 'objects' : 'bytes';
}

export function valueOf(sum: SizeSum, measure: Measure): number {
  return measure === 'bytes' ? sum.bytes : sum.objects;
}

export function baseOf(sum: SizeSum, measure: Measure): number {
  return measure === 'bytes' ? sum.bytes_base : sum.objects_base;
}

/** Unit of a measure. */
export function unitOf(report: SizesReport, measure: Measure): string {
  return measure === 'bytes' ? report.bytes_unit || 'bytes' : 'count';
}

export function isEmpty({ sum }: SizeClass): boolean {
  return sum.bytes === 0 && sum.bytes_base === 0 && sum.objects === 0 && sum.objects_base === 0;
}

const KIB = 1024;

/** `1.25 KiB`, with no more digits than the bounds of classes need. */
function sizeLabel(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let [scaled, unit] = [bytes, 0];
  while (scaled >= KIB && unit < units.length - 1) [scaled, unit] = [scaled / KIB, unit + 1];
  return `${Number(scaled.toFixed(2)).toLocaleString('en-US')} ${units[unit] ?? ''}`;
}

/** `49–64 B`, `1–1.25 KiB`; a class begins above what it names first. */
export function classLabel({ low, high }: Pick<SizeClass, 'low' | 'high'>): string {
  if (low === high) return sizeLabel(high);
  const [from, to] = [sizeLabel(low < KIB ? low : low - 1), sizeLabel(high)];
  const [number, unit] = from.split(' ');
  return to.endsWith(` ${unit ?? ''}`) ? `${number ?? ''}–${to}` : `${from} – ${to}`;
}

/** `1,025 to 1,280 bytes`. */
export function classExact({ low, high }: Pick<SizeClass, 'low' | 'high'>): string {
  return low === high ? `${formatCount(high)} bytes` : `${formatCount(low)} to ${formatCount(high)} bytes`;
}

/** Value of a filter on the label `bytes` that keeps these sizes only. */
export function classRange({ low, high }: Pick<SizeClass, 'low' | 'high'>): string {
  return low === high ? `${low}b` : `${low}b:${high}b`;
}

export interface Tick {
  /** 0 at the bottom, 1 at the top. */
  readonly at: number;
  readonly label: string;
}

export interface Scale {
  readonly ticks: readonly Tick[];
  /** Value → height between 0 and 1; negative values have none. */
  readonly at: (value: number) => number;
}

const MOST_TICKS = 5;

/** Distance of the lines of a grid: powers of two for bytes, 1, 2, 5 × 10ⁿ for counts. */
export function linearStep(largest: number, measure: Measure): number {
  const steps = measure === 'bytes' ? [1, 2, 4, 8] : [1, 2, 5];
  const radix = measure === 'bytes' ? 16 : 10;
  for (let power = 1; power < Number.MAX_SAFE_INTEGER; power *= radix)
    for (const step of steps) if (largest / (step * power) <= MOST_TICKS) return step * power;
  return largest;
}

/** Label of a grid line. */
export function tickLabel(value: number, measure: Measure): string {
  return measure === 'bytes' ? formatValue(value, 'bytes').replace(/\.0+(?= )/, '') : formatCount(value);
}

/** Heights for values up to `largest`. */
export function scaleOf(largest: number, measure: Measure, log: boolean): Scale {
  const top = Math.max(1, largest);
  if (!log) {
    const step = linearStep(top, measure);
    const ticks = Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => ({
      at: (i * step) / top,
      label: tickLabel(i * step, measure),
    }));
    return { ticks, at: (value) => Math.max(0, value) / top };
  }
  // log(value + 1): one object is visible, none has no height.
  const span = Math.log(top + 1);
  const at = (value: number): number => Math.log(Math.max(0, value) + 1) / span;
  const radix = measure === 'bytes' ? 16 : 10;
  const powers: number[] = [];
  for (let power = 1; power <= top; power *= radix) powers.push(power);
  const every = Math.max(1, Math.ceil(powers.length / MOST_TICKS));
  return { at, ticks: powers.filter((_, i) => i % every === 0).map((power) => ({ at: at(power), label: tickLabel(power, measure) })) };
}

/** Part of a bar for one function, or (row −1) for all others. Heights are shares of the chart's. */
export interface Piece {
  readonly row: number;
  readonly bottom: number;
  readonly height: number;
}

export interface Bar {
  readonly height: number;
  readonly base: number;
  readonly pieces: readonly Piece[];
}

/** Stacks each class; on a logarithmic scale a piece has its share of the bar. */
export function barsOf(report: SizesReport, measure: Measure, scale: Scale): readonly Bar[] {
  return report.class.map(({ sum, part, rest }) => {
    const height = scale.at(valueOf(sum, measure));
    const parts = [...part.map((p) => ({ row: p.row, value: valueOf(p.sum, measure) })), { row: -1, value: valueOf(rest, measure) }];
    const positive = parts.filter((p) => p.value > 0);
    const whole = positive.reduce((total, p) => total + p.value, 0);
    let bottom = 0;
    const pieces = positive.map(({ row, value }) => {
      const piece = { row, bottom, height: (height * value) / whole };
      bottom += piece.height;
      return piece;
    });
    return { height, base: scale.at(baseOf(sum, measure)), pieces };
  });
}

/** Largest value or base of a class. */
export function largestOf(report: SizesReport, measure: Measure): number {
  return report.class.reduce((most, { sum }) => Math.max(most, valueOf(sum, measure), baseOf(sum, measure)), 0);
}

/** The largest class; −1 if all are empty. */
export function heaviest(report: SizesReport, measure: Measure): number {
  const size = (i: number): number => {
    const sum = report.class[i]?.sum;
    return sum === undefined ? -1 : Math.max(valueOf(sum, measure), baseOf(sum, measure));
  };
  return report.class.reduce((best, _, i) => (best < 0 || size(i) > size(best) ? i : best), -1);
}

/** Nearest size class with memory in a direction; the same one if there is none. */
export function nextFull(report: SizesReport, from: number, step: 1 | -1): number {
  for (let i = from + step; i >= 0 && i < report.class.length; i += step) {
    const found = report.class[i];
    if (found !== undefined && !isEmpty(found)) return i;
  }
  return from;
}

/** Which boundaries are labelled: after each class, or after powers of two, four, sixteen, …, as there is room. */
export function edgesOf(classes: readonly Pick<SizeClass, 'low' | 'high'>[], barWidth: number, room = 56): readonly Edge[] {
  const all = classes.map(({ high }, i) => ({ after: i, size: high, label: sizeLabel(high) }));
  if (barWidth >= room) return all;
  for (const doublings of [1, 2, 4, 6, 10, 20]) {
    const some = all.filter(({ size }) => size > 0 && Number.isInteger(Math.log2(size)) && Math.log2(size) % doublings === 0);
    const near = some.some(({ after }, i) => i > 0 && (after - (some[i - 1]?.after ?? 0)) * barWidth < room);
    if (!near) return some;
  }
  return all.filter((_, i) => i === 0 || i === all.length - 1);
}

export interface Edge {
  /** The class that it ends. */
  readonly after: number;
  readonly size: number;
  readonly label: string;
}

/** Formatting of numbers: IEC bytes, grouped counts, percentages, signed differences. */

interface Step {
  readonly symbol: string;
  readonly size: number;
}

const KIB = 1024;
const BYTES: readonly Step[] = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'].map((symbol, i) => ({ symbol, size: KIB ** i }));
const TIMES: readonly Step[] = [
  { symbol: 'ns', size: 1 },
  { symbol: 'µs', size: 1e3 },
  { symbol: 'ms', size: 1e6 },
  { symbol: 's', size: 1e9 },
  { symbol: 'min', size: 60e9 },
  { symbol: 'h', size: 3600e9 },
];
const INSTRUCTIONS: readonly Step[] = ['instr', 'kinstr', 'Minstr', 'Ginstr', 'Tinstr'].map((symbol, i) => ({ symbol, size: 1000 ** i }));
const UNIT_NAMES: readonly (readonly [RegExp, readonly Step[], number])[] = [
  [/^(b|bytes?)$/i, BYTES, 0],
  [/^(kb|kib|kbytes?|kilobytes?)$/i, BYTES, 1],
  [/^(mb|mib|mbytes?|megabytes?)$/i, BYTES, 2],
  [/^(gb|gib|gbytes?|gigabytes?)$/i, BYTES, 3],
  [/^(tb|tib|tbytes?|terabytes?)$/i, BYTES, 4],
  [/^(pb|pib|pbytes?|petabytes?)$/i, BYTES, 5],
  [/^(instrs?|instructions?)$/i, INSTRUCTIONS, 0],
  [/^(ns|nanoseconds?)$/i, TIMES, 0],
  [/^([uµμ]s|microseconds?)$/i, TIMES, 1],
  [/^(ms|milliseconds?)$/i, TIMES, 2],
  [/^(s|secs?|seconds?)$/i, TIMES, 3],
];

function find(unit: string): { steps: readonly Step[]; step: Step } | undefined {
  for (const [pattern, steps, index] of UNIT_NAMES) {
    const step = steps[index];
    if (step !== undefined && pattern.test(unit)) return { steps, step };
  }
  return undefined;
}

const grouping = new Map<number, Intl.NumberFormat>();

/** `1234567.891` → `1,234,567.9` with one decimal. */
function grouped(value: number, decimals: number): string {
  let format = grouping.get(decimals);
  if (format === undefined) {
    format = new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    grouping.set(decimals, format);
  }
  return format.format(value);
}

export function formatCount(value: number): string {
  return minus(grouped(value, 0));
}

function minus(text: string): string {
  return text.startsWith('-') ? `−${text.slice(1)}` : text;
}

function decimalsOf(scaled: number, step: Step): number {
  if (step.size === 1) return 0;
  return Math.abs(scaled) < 9.995 ? 2 : 1;
}

/** `value` in `unit`, printed in `outputUnit` (`auto` and `minimum`: in what suits the value). */
export function formatValue(value: number, unit: string, outputUnit = 'auto'): string {
  const from = find(unit);
  if (from === undefined) return formatCount(value);
  const base = value * from.step.size;
  const requested = find(outputUnit);
  if (requested !== undefined && requested.steps === from.steps) {
    const scaled = base / requested.step.size;
    return `${minus(grouped(scaled, requested.step.size === 1 ? 0 : 2))} ${requested.step.symbol}`;
  }
  if (base === 0) return `0 ${from.steps === BYTES ? 'B' : 's'}`;
  // Four digits before the point are one too many for a column: 1,022.5 MiB is 1.00 GiB.
  const fitting = from.steps.findLast((s) => Math.abs(base) / s.size >= (s.size <= KIB ? 1 : 999.95 / KIB)) ?? from.steps[0];
  if (fitting === undefined) return formatCount(value);
  const scaled = base / fitting.size;
  return `${minus(grouped(scaled, decimalsOf(scaled, fitting)))} ${fitting.symbol}`;
}

/** A value without rounding: `1,204,224 bytes`. */
export function formatExact(value: number, unit: string): string {
  if (unit === '' || unit === 'count') return formatCount(value);
  return `${formatCount(value)} ${Math.abs(value) === 1 && unit === 'bytes' ? 'byte' : unit}`;
}

/** A difference always has a sign: `+1.05 MiB`, `−3.00 KiB`, `±0`. */
export function formatDelta(value: number, unit: string, outputUnit = 'auto'): string {
  if (value === 0) return '±0';
  const text = formatValue(value, unit, outputUnit);
  return value > 0 ? `+${text}` : text;
}

/** Share in running text: `38.3%`, `< 0.1%`. */
export function formatPercent(value: number, total: number): string {
  if (total === 0) return value === 0 ? '0%' : '–';
  const share = (value / total) * 100;
  if (share === 0) return '0%';
  if (Math.abs(share) < 0.05) return share < 0 ? '> −0.1%' : '< 0.1%';
  return `${minus(grouped(share, 1))}%`;
}

/** Share in a column, two decimals so that digits align. */
export function formatShare(value: number, total: number): string {
  return total === 0 ? '' : `${minus(grouped((value / total) * 100, 2))}%`;
}

/** Share of a part like `formatPercent`; empty if it is not a part: in a difference others may shrink while one grows. */
export function formatPart(value: number, total: number): string {
  const share = total === 0 ? 0 : value / total;
  return share < 0 || share > 1 ? '' : formatPercent(value, total);
}

/** Share of a dump that the filters leave: `38.3% of heap`; empty if the dump has no memory or is a difference below 0. */
export function formatHeapShare(value: number, total: number): string {
  const share = total === 0 ? '' : formatPart(value, total);
  return share === '' ? '' : value === total ? '100% of heap' : `${share} of heap`;
}

/** How much more or less than before: `+98%`, `new`, `gone`. */
export function formatGrowth(value: number, base: number): string {
  if (value === base) return 'unchanged';
  if (base === 0) return 'new';
  if (value === 0) return 'gone';
  const growth = ((value - base) / Math.abs(base)) * 100;
  const text = minus(grouped(growth, Math.abs(growth) < 9.95 ? 1 : 0));
  return `${growth > 0 ? '+' : ''}${text}%`;
}

/** Nanoseconds since 1970 as local `2026-11-20 10:33`; empty when unknown. */
export function formatTime(nanos: number): string {
  if (nanos <= 0) return '';
  const t = new Date(nanos / 1e6);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())} ${two(t.getHours())}:${two(t.getMinutes())}`;
}

const VALUE_TYPES: Readonly<Record<string, string>> = {
  inuse_space: 'In use (bytes)',
  inuse_objects: 'In use (objects)',
  alloc_space: 'Total allocated (bytes)',
  alloc_objects: 'Total allocated (objects)',
};

/** Label of a value type. */
export function valueTypeLabel(kind: string): string {
  return VALUE_TYPES[kind] ?? kind.replaceAll('_', ' ');
}

/** `1 stack`, `2 stacks`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}

/** Bytes of one object on average; empty where there is none. */
export function formatMean(bytes: number, objects: number, unit: string): string {
  if (objects === 0 || bytes === 0) return '';
  const mean = Math.abs(bytes / objects);
  return formatValue(mean < 10 ? Math.round(mean * 10) / 10 : Math.round(mean), unit);
}

/** Units of values as the server converts and prints them (`src/base/units.rs`). */

import { quoted } from './words';

interface Family {
  readonly symbol: string;
  readonly size: number;
  readonly units: readonly (readonly [symbol: string, names: readonly string[], size: number])[];
}

const KIB = 1024;
const FAMILIES: readonly Family[] = [
  {
    symbol: 'B',
    size: 1,
    units: [
      ['B', ['b', 'byte'], 1],
      ['kB', ['kb', 'kbyte', 'kilobyte'], KIB],
      ['MB', ['mb', 'mbyte', 'megabyte'], KIB ** 2],
      ['GB', ['gb', 'gbyte', 'gigabyte'], KIB ** 3],
      ['TB', ['tb', 'tbyte', 'terabyte'], KIB ** 4],
      ['PB', ['pb', 'pbyte', 'petabyte'], KIB ** 5],
    ],
  },
  {
    symbol: 's',
    size: 1e9,
    units: [
      ['ns', ['ns', 'nanosecond'], 1],
      ['us', ['μs', 'us', 'microsecond'], 1e3],
      ['ms', ['ms', 'millisecond'], 1e6],
      ['s', ['s', 'sec', 'second'], 1e9],
      ['hrs', ['hour', 'hr'], 3600e9],
    ],
  },
  {
    symbol: 'GCU',
    size: 1,
    units: [
      ['n*GCU', ['nanogcu'], 1e-9],
      ['u*GCU', ['microgcu'], 1e-6],
      ['m*GCU', ['milligcu'], 1e-3],
      ['GCU', ['gcu'], 1],
      ['k*GCU', ['kilogcu'], 1e3],
      ['M*GCU', ['megagcu'], 1e6],
      ['G*GCU', ['gigagcu'], 1e9],
      ['T*GCU', ['teragcu'], 1e12],
      ['P*GCU', ['petagcu'], 1e15],
    ],
  },
];

function find(family: Family, unit: string): Family['units'][number] | undefined {
  const lower = unit.toLowerCase();
  const singular = [...lower].length > 2 && lower.endsWith('s') ? lower.slice(0, -1) : lower;
  return family.units.find(([, names]) => names.includes(singular));
}

/** Whether `unit` is a unit of memory or time that other units of its family convert to. */
export function isKnown(unit: string): boolean {
  return FAMILIES.some((family) => find(family, unit) !== undefined);
}

/** What a value in `from` is multiplied by to be in `to`; undefined when they do not convert. */
export function factor(from: string, to: string): number | undefined {
  if (from === to) return 1;
  for (const family of FAMILIES) {
    const [a, b] = [find(family, from), find(family, to)];
    if (a !== undefined && b !== undefined) return a[2] / b[2];
  }
  return undefined;
}

/** `value`, which is in `from`, in the unit `to`, with the symbol to print behind it. */
export function scale(value: number, from: string, to: string): readonly [number, string] {
  const choose = to === 'minimum' || to === 'auto';
  for (const family of FAMILIES) {
    const unit = find(family, from);
    if (unit === undefined) continue;
    const base = value * unit[2];
    const fitting = choose ? family.units.findLast(([, , size]) => Math.abs(base) / size >= 1) : find(family, to);
    return fitting === undefined ? [base / family.size, family.symbol] : [base / fitting[2], fitting[0]];
  }
  const silent = choose || to === 'count' || to === 'sample' || to === 'unit';
  return [value, silent ? '' : to];
}

/** `value` printed in the unit `to`: two decimals at most, `0` without a unit. */
export function unitLabel(value: number, from: string, to: string): string {
  const [scaled, symbol] = scale(value, from, to);
  const printed = fixed(scaled, 2).replace(/\.00$/, '');
  return printed === '0' || printed === '-0' ? '0' : printed + symbol;
}

const SYMBOLS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** `value` as our own reports print it: memory in the units of IEC, everything else as `unitLabel` has it. */
export function iecLabel(value: number, from: string, to: string): string {
  const scaling = factor(from, 'bytes');
  if (scaling === undefined) return unitLabel(value, from, to);
  const bytes = value * scaling;
  const asked = FAMILIES[0]?.units.findIndex(([symbol]) => FAMILIES[0] !== undefined && find(FAMILIES[0], to)?.[0] === symbol) ?? -1;
  // Four digits before the point are one too many for a column: 1,022.5 MiB is 1.00 GiB.
  const reaches = (power: number): boolean => power === 0 || Math.abs(bytes) / KIB ** power >= (power === 1 ? 1 : 999.95 / KIB);
  const power = asked >= 0 ? asked : SYMBOLS.findLastIndex((_, i) => reaches(i));
  const scaled = bytes / KIB ** power;
  const digits = power === 0 ? scaled.toFixed(0) : asked < 0 && Math.abs(scaled) >= 9.995 ? fixed(scaled, 1) : fixed(scaled, 2);
  return `${digits} ${SYMBOLS[power] ?? ''}`;
}

/** One or two decimals; exact halves go to the even digit, where toFixed rounds them up. */
function fixed(value: number, decimals: 1 | 2): string {
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}.${'0'.repeat(decimals)}`;
  // Only odd quarters are between two tenths, 0.25, and only odd eighths between two hundredths, 0.125.
  if (Math.abs((value * (decimals === 1 ? 4 : 8)) % 2) !== 1) return value.toFixed(decimals);
  const size = 10 ** decimals;
  const down = Math.floor(Math.abs(value) * size);
  const even = down % 2 === 0 ? down : down + 1;
  return `${value < 0 ? '-' : ''}${(even / size).toFixed(decimals)}`;
}

/** The unit of a numeric label: the writer's, else what the key implies. */
export function unitOf(key: string, unit: string): string {
  if (unit !== '') return unit;
  return key === 'alignment' || key === 'request' ? 'bytes' : key;
}

const POWERS = ['', 'k', 'm', 'g', 't'];

/** A size as people type it, bytes: `500MB`, `2GiB`, `1.5g`, `4096`; a text is what is wrong with it. */
export function memory(text: string): number | string {
  const [, number = '', rest = ''] = /^([\d.]*)(.*)$/s.exec(text) ?? [];
  const unit = rest.trim();
  const power = POWERS.indexOf(
    unit
      .toLowerCase()
      .replace(/(ib)+$/, '')
      .replace(/b+$/, ''),
  );
  if (power < 0) return `unknown unit ${quoted(unit)}; expected B, kB, MB, GB or TB`;
  if (!/^(\d+\.?\d*|\.\d+)$/.test(number)) return 'expected a size such as 500MB or 2GB';
  return Math.floor(Number(number) * 1024 ** power);
}

/** A share in per cent, six columns wide, as pprof prints it. */
export function percentage(value: number, total: number): string {
  const ratio = total === 0 ? 0 : Math.abs(value / total) * 100;
  if (ratio >= 99.95 && ratio <= 100.05) return '  100%';
  return ratio >= 1 ? `${fixed(ratio, 2).padStart(5)}%` : `${twoDigits(ratio).padStart(5)}%`;
}

/** Two significant digits, as C's `%.2g` prints them; exact halves go to the even digit. */
function twoDigits(value: number): string {
  if (value === 0) return '0';
  const up = value.toExponential(1);
  // More digits than a number has tell whether it lies just between.
  const isHalf = /^\d\.\d50*e/.test(value.toExponential(60)) && Number(up[2]) % 2 === 1;
  const [mantissa = '', exponent = '0'] = (isHalf ? `${up[0] ?? ''}.${Number(up[2]) - 1}${up.slice(3)}` : up).split('e');
  const power = Number(exponent);
  const trim = (digits: string): string => (digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits);
  if (power >= -4 && power < 2) return trim(Number(`${mantissa}e${power}`).toFixed(Math.max(1 - power, 0)));
  return `${trim(mantissa)}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

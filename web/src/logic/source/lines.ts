import type { SourceEntry, SourceStep } from '../../api/types';

/** Source lines as rows of one height: lines, calls below open lines, and gaps. */

export type SourceRow =
  | { readonly kind: 'line'; readonly index: number }
  | { readonly kind: 'step'; readonly index: number; readonly step: SourceStep }
  | { readonly kind: 'gap'; readonly n: number };

/** Line number → its steps, in the order of the report. */
export function stepsByLine(entry: SourceEntry): ReadonlyMap<number, readonly SourceStep[]> {
  const steps = new Map<number, SourceStep[]>();
  for (const step of entry.step) {
    const known = steps.get(step.line);
    if (known === undefined) steps.set(step.line, [step]);
    else known.push(step);
  }
  return steps;
}

/** The rows of an entry with the steps of `open` lines below them. */
export function sourceRows(entry: SourceEntry, open: ReadonlySet<number>): readonly SourceRow[] {
  const steps = stepsByLine(entry);
  const rows: SourceRow[] = [];
  const { number: numbers } = entry.lines;
  numbers.forEach((number, index) => {
    const before = numbers[index - 1];
    // Line 0: the line is unknown.
    if (before !== undefined && before > 0 && number > before + 1) rows.push({ kind: 'gap', n: number - before - 1 });
    rows.push({ kind: 'line', index });
    if (open.has(number)) for (const step of steps.get(number) ?? []) rows.push({ kind: 'step', index, step });
  });
  return rows;
}

/** Value of a line; with a base, its change. */
export function netAt(values: readonly number[], bases: readonly number[], index: number): number {
  return (values[index] ?? 0) - (bases[index] ?? 0);
}

/** Largest absolute value of a line. */
export function heaviest(entry: SourceEntry): number {
  const { cum, cum_base: base, flat, flat_base: flatBase } = entry.lines;
  return cum.reduce((most, _, i) => Math.max(most, Math.abs(netAt(cum, base, i)), Math.abs(netAt(flat, flatBase, i))), 0);
}

/** Heat of a line: 0 for no value, 5 for the heaviest line. */
export function heatOf(value: number, most: number): number {
  if (value === 0 || most === 0) return 0;
  return Math.max(1, Math.ceil((Math.abs(value) / most) * 5));
}

/** Lines with at least this share of the heaviest line are hot. */
const HOT = 0.01;

/** Indexes of the lines worth going to, top to bottom. */
export function hotLines(entry: SourceEntry): readonly number[] {
  const most = heaviest(entry);
  const { number: numbers, cum, cum_base: base } = entry.lines;
  return numbers.flatMap((_, i) => (most > 0 && Math.abs(netAt(cum, base, i)) >= most * HOT ? [i] : []));
}

/** Next hot line below (1) or above (−1) a line number, wrapping around; undefined without hot lines. */
export function nextHot(entry: SourceEntry, line: number, way: 1 | -1): number | undefined {
  const hot = hotLines(entry).map((i) => entry.lines.number[i] ?? 0);
  return way > 0 ? (hot.find((n) => n > line) ?? hot[0]) : (hot.findLast((n) => n < line) ?? hot.at(-1));
}

/** The line to begin with: the heaviest, the first of several. */
export function firstLine(entry: SourceEntry): number {
  const { number: numbers, cum, cum_base: base } = entry.lines;
  let best = 0;
  for (let i = 1; i < numbers.length; i++) if (Math.abs(netAt(cum, base, i)) > Math.abs(netAt(cum, base, best))) best = i;
  return numbers[best] ?? 0;
}

/** Entries, heaviest first. */
export function byWeight(entries: readonly SourceEntry[]): readonly SourceEntry[] {
  const weight = (e: SourceEntry): number => Math.abs(e.cum - e.cum_base);
  return [...entries].sort((a, b) => weight(b) - weight(a));
}

/** Entry for the address: by function and file, else by function, else the heaviest. */
export function chosenEntry(entries: readonly SourceEntry[], name: string, file: string): SourceEntry | undefined {
  const named = entries.filter((e) => e.name === name);
  return named.find((e) => e.file === file) ?? named[0] ?? (file === '' ? undefined : entries.find((e) => e.file === file)) ?? entries[0];
}

/** `3,7,12` → the numbers in it. */
export function parseLines(text: string): ReadonlySet<number> {
  return new Set(
    text
      .split(',')
      .map(Number)
      .filter((n) => Number.isInteger(n) && n > 0),
  );
}

/** The set with `line` toggled. */
export function toggleLine(lines: ReadonlySet<number>, line: number): string {
  const next = lines.has(line) ? [...lines].filter((n) => n !== line) : [...lines, line];
  return next.sort((a, b) => a - b).join(',');
}

/** Columns of the widest line, tabs as four. */
export function widestLine(entry: SourceEntry): number {
  return entry.lines.text.reduce((most, text) => Math.max(most, Math.min(400, untabbed(text ?? '').length)), 0);
}

export function untabbed(text: string): string {
  return text.replaceAll('\t', '    ');
}

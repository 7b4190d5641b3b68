import type { TopReport } from '../api/types';

/** Columns a table of functions can be sorted by. */
export const SORT_KEYS = ['flat', 'cum', 'delta', 'cumdelta', 'base', 'name', 'place'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Order {
  readonly key: SortKey;
  readonly reversed: boolean;
}

/** `-name` → by name, reversed; anything unknown → `fallback`. */
export function parseOrder(text: string, fallback: SortKey): Order {
  const reversed = text.startsWith('-');
  const key = SORT_KEYS.find((k) => k === (reversed ? text.slice(1) : text));
  return key === undefined ? { key: fallback, reversed: false } : { key, reversed };
}

export function printOrder(order: Order): string {
  return (order.reversed ? '-' : '') + order.key;
}

function at(column: readonly number[], i: number): number {
  return column[i] ?? 0;
}

/** Row numbers in the order asked for: numbers largest first, differences by size, text from A. */
export function sortRows(report: TopReport, order: Order): Uint32Array {
  const n = report.row.length;
  const rows = Uint32Array.from({ length: n }, (_, i) => i);
  const compare = comparison(report, order.key);
  // Most functions hold nothing themselves: what they call tells them apart.
  const then = comparison(report, order.key === 'delta' || order.key === 'cumdelta' ? 'cumdelta' : 'cum');
  const sign = order.reversed ? -1 : 1;
  return rows.sort((a, b) => sign * (compare(a, b) || then(a, b)) || a - b);
}

function comparison(report: TopReport, key: SortKey): (a: number, b: number) => number {
  const { flat, cum, flat_base: flatBase, cum_base: cumBase, row } = report;
  const largest = (weight: (i: number) => number): ((a: number, b: number) => number) => {
    const weights = Float64Array.from(row, (_, i) => weight(i));
    return (a, b) => (weights[b] ?? 0) - (weights[a] ?? 0);
  };
  switch (key) {
    case 'flat':
      return largest((i) => Math.abs(at(flat, i)));
    case 'cum':
      return largest((i) => Math.abs(at(cum, i)));
    case 'base':
      return largest((i) => Math.abs(at(flatBase, i)));
    case 'delta':
      return largest((i) => Math.abs(at(flat, i) - at(flatBase, i)));
    case 'cumdelta':
      return largest((i) => Math.abs(at(cum, i) - at(cumBase, i)));
    case 'name':
      return (a, b) => text(row[a]?.name, row[b]?.name);
    case 'place':
      return (a, b) => text(row[a]?.file, row[b]?.file) || (row[a]?.line ?? 0) - (row[b]?.line ?? 0);
  }
}

/** By code unit, so that 100,000 names sort at once; nothing comes last. */
function text(a = '', b = ''): number {
  if (a === b) return 0;
  if (a === '') return 1;
  if (b === '') return -1;
  return a < b ? -1 : 1;
}

/** Running sum of flat in the order shown (pprof's sum %). */
export function runningSums(report: TopReport, rows: Uint32Array): Float64Array {
  const sums = new Float64Array(rows.length);
  let sum = 0;
  rows.forEach((row, i) => {
    sum += at(report.flat, row) - at(report.flat_base, row);
    sums[i] = sum;
  });
  return sums;
}

/** What the search matches before the rest, each part in its order. */
export function matchesFirst(rows: Uint32Array, matches: Uint8Array | undefined): Uint32Array {
  if (matches === undefined) return rows;
  return Uint32Array.from([...rows.filter((r) => matches[r] === 1), ...rows.filter((r) => matches[r] !== 1)]);
}

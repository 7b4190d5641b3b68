import type { GrowthReport, GrowthRow } from '../../api/types';
import { isOfMoments } from '../recording';

/** Order of the growth table: the server's ranks, or by a column. */

const KEYS = ['rank', 'name', 'package', 'shape', 'first', 'last', 'peak', 'change', 'slope', 'share', 'since'] as const;
export type GrowthKey = (typeof KEYS)[number];

export interface GrowthOrder {
  readonly key: GrowthKey;
  readonly reversed: boolean;
}

/** Order of a table that the address does not name: a recording by its largest rows, which its chart shows. */
export function usualOrder(report: Pick<GrowthReport, 'dump'>): GrowthOrder {
  return { key: isOfMoments(report) ? 'peak' : 'rank', reversed: false };
}

/** `slope`, or `-slope` for the reverse; anything else is the server's order. */
export function growthOrder(text: string): GrowthOrder {
  const reversed = text.startsWith('-');
  const key = KEYS.find((k) => k === (reversed ? text.slice(1) : text));
  return key === undefined ? { key: 'rank', reversed: false } : { key, reversed };
}

/** Value in the address after a click on a column; empty for the usual order. */
export function afterClick(old: GrowthOrder, clicked: string, usual: GrowthKey = 'rank'): string {
  const { key } = growthOrder(clicked);
  const reversed = old.key === key && !old.reversed;
  return key === usual && !reversed ? '' : (reversed ? '-' : '') + key;
}

const BY_TEXT: ReadonlySet<GrowthKey> = new Set(['rank', 'name', 'package', 'shape', 'since']);

/** Numbers are sorted in descending order, text in ascending. */
export function sortedAs(order: GrowthOrder, key: GrowthKey): 'ascending' | 'descending' | 'none' {
  if (order.key !== key) return 'none';
  return order.reversed === BY_TEXT.has(key) ? 'descending' : 'ascending';
}

/** Two positions in the series, between which a change is shown. */
export interface Between {
  readonly base: number;
  readonly shown: number;
}

/** Change of a row from one dump to another. */
export function changeOf(row: GrowthRow, { base, shown }: Between): number {
  return (row.value[shown] ?? 0) - (row.value[base] ?? 0);
}

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Rows of the report in the requested order; ties keep the server's order. O(n log n). */
export function ordered({ row }: Pick<GrowthReport, 'row'>, { key, reversed }: GrowthOrder, between: Between): readonly number[] {
  const compare = (a: GrowthRow, b: GrowthRow): number => {
    switch (key) {
      case 'rank':
        return 0;
      case 'name':
        return text(a.row.name, b.row.name);
      case 'package':
        return text(a.row.package, b.row.package) || text(a.row.version, b.row.version);
      case 'shape':
        return text(a.trend.shape, b.trend.shape);
      case 'since':
        return (a.trend.began ?? Infinity) === (b.trend.began ?? Infinity) ? 0 : (a.trend.began ?? Infinity) - (b.trend.began ?? Infinity);
      case 'change':
        return changeOf(b, between) - changeOf(a, between);
      case 'share':
        return b.share - a.share;
      case 'first':
      case 'last':
      case 'peak':
      case 'slope':
        return b.trend[key] - a.trend[key];
      default:
        return key satisfies never;
    }
  };
  const all = row.map((r, i) => [r, i] as const).sort(([a, i], [b, j]) => compare(a, b) || i - j);
  return (reversed ? all.reverse() : all).map(([, i]) => i);
}

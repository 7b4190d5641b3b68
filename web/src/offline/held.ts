import type { SummarySum } from '../api/types';
import type { Answer } from './answer';
import { besideOf, NOTHING_BESIDE, plusBeside, type Beside } from './beside';
import type { Spreads } from './noise';
import type { Pairs } from './order';
import { nodeCount } from './cut';

/** What some stacks hold: sums that reports of who and what holds memory share (`analyze/reports/totals.rs`). */

export interface Sum extends SummarySum {
  readonly beside: Beside;
}

/** A value and its base. */
export type Side = Pick<SummarySum, 'value' | 'base'>;

export const NOTHING: Sum = { value: 0, base: 0, companion: 0, companion_base: 0, beside: NOTHING_BESIDE };

/** Those that are told, and what all others hold. */
export function split<T>(
  { view }: Answer,
  held: readonly (readonly [T, Sum])[],
  ofNobody: Sum,
): readonly [readonly (readonly [T, Sum])[], Sum] {
  const most = nodeCount(view) || held.length;
  return [held.slice(0, most), held.slice(most).reduce((rest, [, sum]) => added(rest, sum), ofNobody)];
}

/** What a row holds. */
export function at(
  row: number,
  shown: { readonly rows: Pairs; readonly spread: Spreads | undefined } | undefined,
  beside: Pairs | undefined,
): Sum {
  return {
    value: shown?.rows.value[row] ?? 0,
    base: shown?.rows.base[row] ?? 0,
    companion: beside?.value[row] ?? 0,
    companion_base: beside?.base[row] ?? 0,
    beside: besideOf(shown?.spread, undefined, row),
  };
}

export function added(a: Sum, b: Sum): Sum {
  return {
    value: a.value + b.value,
    base: a.base + b.base,
    companion: a.companion + b.companion,
    companion_base: a.companion_base + b.companion_base,
    beside: plusBeside(a.beside, b.beside),
  };
}

/** As reports say it. */
export function plain({ value, base, companion, companion_base }: Sum): SummarySum {
  return { value, base, companion, companion_base };
}

export function isNothing(sum: SummarySum): boolean {
  return sum.value === 0 && sum.base === 0 && sum.companion === 0 && sum.companion_base === 0;
}

export function more({ value, base }: Side): number {
  return value - base;
}

/** What comes first: the largest change, then the largest side of it. */
export function bySize(a: Side, b: Side): number {
  const side = ({ value, base }: Side): number => Math.max(Math.abs(value), Math.abs(base));
  return Math.abs(more(b)) - Math.abs(more(a)) || side(b) - side(a);
}

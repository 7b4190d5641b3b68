import { numberAt as get } from '../logic/number-at';
import type { Answer, Draft } from './answer';
import { grossTold } from './gross';
import { add, compareTexts, isZero, net, pairs, quotient, share, type Pairs } from './order';
import type { Shape } from './shape';
import { scale } from './units';
import { edgeFraction, nodeFraction } from './cut';
import type { View } from './view';
import type { Weights } from './weights';

/** Flat and cum of every key, and which keys a report keeps (`analyze/tree/sums.rs`). */
export interface Sums {
  readonly flat: Pairs;
  readonly cum: Pairs;
  /** Keys that hold anything, be it only for their callees. */
  readonly alive: readonly number[];
  /** Key → the larger one of what grew and what shrank of it and what it calls; undefined where that is not told. */
  readonly turnover: Float64Array | undefined;
  /** Where means are asked for: what they are divided by before they are shown. */
  readonly divisor: Sums | undefined;
}

export function sumsOf(shape: Shape, weights: Weights): Sums {
  const [flat, cum] = [pairs(shape.nKeys), pairs(shape.nKeys)];
  for (let node = 1; node < shape.parent.length; node++) {
    if (!isZero(weights.own, node)) add(flat, get(shape.key, node), weights.own, node);
    if (get(shape.outermost, node) === 1) add(cum, get(shape.key, node), weights.cum, node);
  }
  return { flat, cum, alive: [], turnover: undefined, divisor: undefined };
}

export function makeSums(answer: Answer): Sums {
  const { shape, weights, view } = answer;
  const sums = sumsOf(shape, weights);
  const gross = grossTold(answer)?.cumOfKey;
  const turnover = gross?.grown.map((grown, key) => Math.max(grown, -get(gross.shrunk, key)));
  const dropNegative = view.flags.has('drop_negative');
  const alive: number[] = [];
  for (let key = 0; key < shape.nKeys; key++) {
    const [flat, cum] = [net(sums.flat, key), net(sums.cum, key)];
    const isNegative = flat < 0 || (flat === 0 && cum < 0);
    const moves = flat !== 0 || cum !== 0 || (turnover?.[key] ?? 0) !== 0;
    if (moves && !(dropNegative && isNegative)) alive.push(key);
  }
  return { ...sums, alive, turnover, divisor: weights.divisor === undefined ? undefined : sumsOf(shape, weights.divisor) };
}

/** What is shown: sums, or the means of differences and 0. */
export function shownSums(sums: Sums): Sums {
  const { divisor } = sums;
  if (divisor === undefined) return sums;
  const divided = (of: Pairs, by: Pairs): Pairs => ({
    value: of.value.map((_, i) => quotient(net(of, i), net(by, i))),
    base: new Float64Array(of.base.length),
  });
  return { ...sums, flat: divided(sums.flat, divisor.flat), cum: divided(sums.cum, divisor.cum), divisor: undefined };
}

/** Sum of flat of `keys`. */
export function flatOf(sums: Sums, keys: readonly number[]): number {
  return keys.reduce((sum, key) => sum + net(sums.flat, key), 0);
}

/** What small nodes and edges are smaller than. */
export interface Cutoffs {
  readonly node: number;
  readonly edge: number;
}

/** The keys that are not too small for the view; `header` says what was dropped. */
export function largeKeys(sums: Sums, view: View, header: Draft): { readonly keys: number[]; readonly cutoffs: Cutoffs } {
  const whole = flatOf(sums, sums.alive);
  const cutoffs = { node: share(whole, nodeFraction(view)), edge: share(whole, edgeFraction(view)) };
  const size = (key: number): number => Math.max(Math.abs(net(sums.cum, key)), sums.turnover?.[key] ?? 0);
  const keys = sums.alive.filter((key) => size(key) >= cutoffs.node);
  header.dropped_nodes = sums.alive.length - keys.length;
  header.node_cutoff = share(header.total, nodeFraction(view));
  header.n_total = keys.length;
  return { keys, cutoffs };
}

/** Sorts by flat or cum, then name, then the other one. */
export function sortKeys(keys: number[], sums: Sums, shape: Shape, byCum: boolean): void {
  const [first, last] = byCum ? [sums.cum, sums.flat] : [sums.flat, sums.cum];
  const more = (of: Pairs, a: number, b: number): number => Math.abs(net(of, b)) - Math.abs(net(of, a));
  keys.sort((a, b) => more(first, a, b) || compareTexts(nameOf(shape, a), nameOf(shape, b)) || more(last, a, b) || a - b);
}

export function nameOf(shape: Shape, key: number): string {
  return shape.rows[key]?.name ?? '';
}

/** Chooses one unit for a whole report, as pprof does. */
export function chooseUnit(header: Draft, sums: Sums, keys: readonly number[]): void {
  if (keys.length === 0 || header.output_unit !== 'minimum') return;
  const divided = (value: number): number => Math.trunc(value / header.divide_by);
  const largest = divided(header.total);
  const weights = keys.map((key) => Math.abs(net(sums.flat, key)) || Math.abs(net(sums.cum, key))).filter((w) => w > 0);
  const smallest = weights.length === 0 ? largest : divided(weights.reduce((a, b) => Math.min(a, b)));
  const unitOf = (value: number): string => scale(value, header.unit, 'minimum')[1];
  const [small, large] = [unitOf(smallest), unitOf(largest)];
  const unit = small === large || smallest * 100 >= largest ? small : unitOf(smallest * 100);
  header.output_unit = unit === '' ? header.unit : unit;
}

/** Columns of a report for `keys`. */
export function column(of: Float64Array, keys: readonly number[]): number[] {
  return keys.map((key) => get(of, key));
}

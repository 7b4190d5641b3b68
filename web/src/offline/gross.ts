import { numberAt as get } from '../logic/number-at';
import type { Answer } from './answer';
import { net } from './order';
import type { Shape } from './shape';
import { tells } from './cut';
import type { Weights } from './weights';

/** What grew since the base, and what shrank, apart: path by path of names (`analyze/tree/gross.rs`). */

export interface Changes {
  readonly grown: Float64Array;
  /** Not positive. */
  readonly shrunk: Float64Array;
}

export interface GrossOf {
  /** Node → of the path that ends there; of nodes with one path the first that changed has it all. */
  readonly own: Changes;
  /** Node → with its subtree. */
  readonly cum: Changes;
  /** Key → itself, and with all that it calls. */
  readonly flatOfKey: Changes;
  readonly cumOfKey: Changes;
}

function changes(n: number): Changes {
  return { grown: new Float64Array(n), shrunk: new Float64Array(n) };
}

/** Adds row `j` of `from` to row `i` of `to`. */
function addChange(to: Changes, i: number, from: Changes, j: number): void {
  to.grown[i] = get(to.grown, i) + get(from.grown, j);
  to.shrunk[i] = get(to.shrunk, i) + get(from.shrunk, j);
}

const known = new WeakMap<Weights, GrossOf>();

/** What grew and what shrank, where there is a base that means do not hide. */
export function grossOf(shape: Shape, weights: Weights): GrossOf | undefined {
  if (!weights.hasBase || weights.divisor !== undefined) return undefined;
  let gross = known.get(weights);
  if (gross === undefined) known.set(weights, (gross = makeGross(shape, weights)));
  return gross;
}

/** The same if it is asked for. */
export function grossTold({ shape, weights, view }: Answer): GrossOf | undefined {
  return tells(view, 'gross') ? grossOf(shape, weights) : undefined;
}

function makeGross(shape: Shape, { own: ends }: Weights): GrossOf {
  const n = shape.parent.length;
  // Node → its path, and path → its difference: code that was called and inlined at one place is one.
  const path = new Int32Array(n);
  const numbers = new Map<number, number>();
  const left: number[] = [net(ends, 0)];
  for (let node = 1; node < n; node++) {
    const word = get(path, get(shape.parent, node)) * shape.nKeys + get(shape.key, node);
    let number = numbers.get(word);
    if (number === undefined) {
      numbers.set(word, (number = left.length));
      left.push(0);
    }
    path[node] = number;
    left[number] = get(left, number) + net(ends, node);
  }
  const [own, cum] = [changes(n), changes(n)];
  for (let node = 0; node < n; node++) {
    const number = get(path, node);
    const change = net(ends, node) === 0 ? 0 : get(left, number);
    if (change === 0) continue;
    left[number] = 0;
    (change > 0 ? own.grown : own.shrunk)[node] = change;
    addChange(cum, node, own, node);
  }
  for (let node = n - 1; node > 0; node--) addChange(cum, get(shape.parent, node), cum, node);
  const [flatOfKey, cumOfKey] = [changes(shape.nKeys), changes(shape.nKeys)];
  for (let node = 1; node < n; node++) {
    const key = get(shape.key, node);
    addChange(flatOfKey, key, own, node);
    if (get(shape.outermost, node) === 1) addChange(cumOfKey, key, cum, node);
  }
  return { own, cum, flatOfKey, cumOfKey };
}

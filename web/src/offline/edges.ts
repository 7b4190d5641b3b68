import { numberAt as get } from '../logic/number-at';
import type { Answer } from './answer';
import { besideOf, NOTHING_BESIDE, plusBeside, type Beside } from './beside';
import { grossTold } from './gross';
import { noiseOf } from './noise';
import { net, quotient } from './order';

/** A call between two keys; the sum counts each stack once. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  value: number;
  base: number;
  /** The other one of bytes and objects; 0 where it was not asked for. */
  companion: number;
  /** How sure it is, and what of it grew and shrank. */
  beside: Beside;
  /** What the value is divided by before it is shown, where means are asked for. */
  divisor: number | undefined;
  /** Somewhere it passes over keys that are not kept. */
  residual: boolean;
  /** Every call was inlined. */
  inlined: boolean;
}

export const NO_EDGE: Readonly<Edge> = {
  from: 0,
  to: 0,
  value: 0,
  base: 0,
  companion: 0,
  beside: NOTHING_BESIDE,
  divisor: undefined,
  residual: false,
  inlined: false,
};

export function edgeWeight(edge: Edge): number {
  return Math.abs(edge.value - edge.base);
}

/** What is shown: value and base, or the mean of the difference and 0. */
export function edgeShown(edge: Edge): readonly [number, number] {
  return edge.divisor === undefined ? [edge.value, edge.base] : [quotient(edge.value - edge.base, edge.divisor), 0];
}

/** The edges between kept keys of which `wanted` holds (`analyze/reports/edges.rs`). */
export function makeEdges(answer: Answer, kept: Uint8Array, wanted: (from: number, to: number) => boolean): Edge[] {
  const { shape, weights } = answer;
  const [noise, gross] = [noiseOf(answer)?.cum, grossTold(answer)?.cum];
  const n = shape.parent.length;
  // Node → the nearest kept key at or above it, whether it lies further up, and whether all code on the way was inlined.
  const nearest = new Int32Array(n).fill(-1);
  const [further, above] = [new Uint8Array(n), new Uint8Array(n).fill(1)];
  const ids = new Map<number, number>();
  const edges: Edge[] = [];
  // Edge → where the last subtree that counts it ends.
  const open: number[] = [];
  const { divisor } = weights;
  for (let node = 1; node < n;) {
    // A mean counts what it is divided by, even where there is nothing to divide.
    if (get(weights.moved, node) === 0 && (divisor === undefined || get(divisor.moved, node) === 0)) {
      node = get(shape.end, node);
      continue;
    }
    const key = get(shape.key, node);
    const parent = get(shape.parent, node);
    const from = get(nearest, parent);
    const residual = get(further, parent) === 1;
    const inlined = get(shape.inlined, node) === 1 && (get(above, parent) === 1 || !shape.isCallTree);
    if (get(kept, key) === 0) {
      nearest[node] = from;
      further[node] = 1;
      above[node] = inlined ? 1 : 0;
    } else {
      nearest[node] = key;
      if (from !== -1 && from !== key && wanted(from, key)) {
        const word = from * shape.nKeys + key;
        let id = ids.get(word);
        if (id === undefined) {
          ids.set(word, (id = edges.length));
          const none = divisor === undefined ? undefined : 0;
          edges.push({ ...NO_EDGE, from, to: key, divisor: none, inlined: true });
          open.push(0);
        }
        const edge = edges[id];
        if (edge !== undefined && node >= get(open, id)) {
          open[id] = get(shape.end, node);
          edge.value += get(weights.cum.value, node);
          edge.base += get(weights.cum.base, node);
          edge.companion += weights.companion === undefined ? 0 : get(weights.companion.cum.value, node);
          edge.beside = plusBeside(edge.beside, besideOf(noise, gross, node));
          edge.residual ||= residual;
          edge.inlined &&= inlined;
          if (edge.divisor !== undefined && divisor !== undefined) edge.divisor += net(divisor.cum, node);
        }
      }
    }
    node++;
  }
  return edges;
}

import { numberAt as get } from '../logic/number-at';
import { headerOf, type Answer, type Draft } from './answer';
import { edgeWeight, makeEdges, NO_EDGE, type Edge } from './edges';
import { makeNodelets, NO_NODELETS, type Nodelets } from './nodelets';
import { compareTexts, net, share } from './order';
import type { Shape } from './shape';
import { chooseUnit, flatOf, largeKeys, makeSums, nameOf, shownSums, sortKeys, type Sums } from './sums';
import { edgeFraction, nodeCount } from './cut';
import type { Pattern } from './view';

/** The call graph, trimmed as the server trims it (`analyze/reports/graph.rs`). */

/** Nodes and edges that survive the cut. */
export interface Trimmed {
  readonly header: Draft;
  readonly sums: Sums;
  readonly keys: readonly number[];
  readonly edges: Edge[];
  readonly nodelets: Nodelets;
}

/** `visual`: nodes are chosen by how much they tell, label values count as nodes, and redundant edges go. */
export function trim(answer: Answer, visual: boolean): Trimmed {
  const { shape, view } = answer;
  const sums = makeSums(answer);
  const header = headerOf(answer);
  const large = largeKeys(sums, view, header);
  const { cutoffs } = large;
  let { keys } = large;
  header.edge_cutoff = share(header.total, edgeFraction(view));
  const peek = visual ? undefined : view.patterns.get('peek');
  const peeked = peek === undefined ? undefined : namesThatMatch(shape, peek);
  const wanted = (from: number, to: number): boolean => peeked === undefined || get(peeked, from) === 1 || get(peeked, to) === 1;
  let kept = mask(keys, shape);
  let between: Edge[] = [];
  if (visual) {
    between = makeEdges(answer, kept, wanted);
    keys = byInterest(keys, sums, between, shape);
  } else sortKeys(keys, sums, shape, view.texts.get('sort') === 'cum');
  let nodelets = visual && view.flags.has('nodelets') ? makeNodelets(answer, kept, cutoffs.node) : NO_NODELETS;
  const asked = nodeCount(view);
  const most = asked > 0 && visual ? nodelets.fit(keys, asked) : asked;
  if (most > 0 && most < keys.length) {
    keys = keys.slice(0, most);
    kept = mask(keys, shape);
    if (visual) {
      between = makeEdges(answer, kept, wanted);
      keys = byInterest(keys, sums, between, shape);
      nodelets = nodelets.keep(kept);
    }
  }
  if (!visual) between = makeEdges(answer, kept, wanted);
  const edges = between.filter((e) => edgeWeight(e) >= cutoffs.edge);
  header.dropped_edges = between.length - edges.length;
  const shown = shownSums(sums);
  header.n_shown = keys.length;
  header.shown = flatOf(shown, keys);
  chooseUnit(header, shown, keys);
  return { header, sums: shown, keys, edges: visual ? withoutRedundant(keys, edges, shape) : edges, nodelets };
}

function mask(keys: readonly number[], shape: Shape): Uint8Array {
  const kept = new Uint8Array(shape.nKeys);
  for (const key of keys) kept[key] = 1;
  return kept;
}

/** Key → 1 when its label matches. */
export function namesThatMatch(shape: Shape, pattern: Pattern): Uint8Array {
  return Uint8Array.from({ length: shape.nKeys }, (_, key) => (pattern.test(nameOf(shape, key)) ? 1 : 0));
}

/** Sorts by pprof's entropy score: what merely passes everything on tells little. */
function byInterest(keys: readonly number[], sums: Sums, edges: readonly Edge[], shape: Shape): number[] {
  const [incoming, outgoing] = [new Map<number, number[]>(), new Map<number, number[]>()];
  const push = (to: Map<number, number[]>, key: number, value: number): void => {
    const list = to.get(key);
    if (list === undefined) to.set(key, [value]);
    else list.push(value);
  };
  for (const edge of edges) {
    push(incoming, edge.to, edge.value - edge.base);
    push(outgoing, edge.from, edge.value - edge.base);
  }
  const one = (list: readonly number[] | undefined, own: number): number => (list === undefined ? 1 : entropy(list, own));
  const score = (key: number): number => {
    const [flat, cum] = [net(sums.flat, key), net(sums.cum, key)];
    const bits = one(incoming.get(key), 0) + one(outgoing.get(key), flat);
    // What Go's conversion of no number gives: first with a flat of its own, else last.
    if (Number.isNaN(bits)) return flat === 0 ? -(2 ** 63) : 2 ** 63 - Math.abs(flat);
    return Math.abs(Math.trunc(bits * cum) + flat);
  };
  const flat = (key: number): number => Math.abs(net(sums.flat, key));
  return keys
    .map((key) => [score(key), key] as const)
    .sort(([a, x], [b, y]) => b - a || compareTexts(nameOf(shape, x), nameOf(shape, y)) || flat(y) - flat(x) || x - y)
    .map(([, key]) => key);
}

/** Bits that say which edge a byte took, counting `own` as one more edge; not a number when a call nets to zero. */
function entropy(edges: readonly number[], own: number): number {
  const total = edges.reduce((sum, w) => (w > 0 ? sum + w : sum), own);
  if (total === 0) return 0;
  const bits = (weight: number): number => {
    const part = Math.abs(weight) / total;
    return -part * Math.log2(part);
  };
  return edges.reduce((sum, w) => sum + bits(w), 0) + (own > 0 ? bits(own) : 0);
}

/** Drops residual edges whose caller is reached another way, lightest first. */
function withoutRedundant(keys: readonly number[], edges: readonly Edge[], shape: Shape): Edge[] {
  const incoming = new Map<number, number[]>();
  edges.forEach((edge, i) => {
    const list = incoming.get(edge.to);
    if (list === undefined) incoming.set(edge.to, [i]);
    else list.push(i);
  });
  const gone = new Uint8Array(edges.length);
  const weight = (i: number): number => edgeWeight(edges[i] ?? NO_EDGE);
  const from = (i: number): string => nameOf(shape, (edges[i] ?? NO_EDGE).from);
  for (const key of keys.toReversed()) {
    const list = (incoming.get(key) ?? []).toSorted((a, b) => weight(b) - weight(a) || compareTexts(from(a), from(b)));
    for (const i of list.reverse()) {
      if (edges[i]?.residual !== true) break;
      if (reaches(edges, incoming, gone, i)) gone[i] = 1;
    }
  }
  return edges.filter((_, i) => get(gone, i) === 0);
}

/** Whether the callee of edge `skip` is reached from its caller without it. */
function reaches(edges: readonly Edge[], incoming: ReadonlyMap<number, readonly number[]>, gone: Uint8Array, skip: number): boolean {
  const { from, to } = edges[skip] ?? NO_EDGE;
  const seen = new Set([to]);
  const queue = [to];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const i of incoming.get(node) ?? []) {
      const caller = edges[i]?.from;
      if (caller === undefined || i === skip || get(gone, i) === 1 || seen.has(caller)) continue;
      if (caller === from) return true;
      seen.add(caller);
      queue.push(caller);
    }
  }
  return false;
}

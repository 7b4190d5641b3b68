import { numberAt as get } from '../logic/number-at';
import type { FlameReport, Row } from '../api/types';
import { headerOf, type Answer } from './answer';
import { NOTHING_BESIDE, plusBeside, spreadOf, type Beside } from './beside';
import { branches } from './branches';
import { hexOf, readHex } from '../logic/hash';
import { share } from './order';
import { readOpened } from './table';
import { rowOf } from './top';
import { nodeFraction } from './cut';
import { QueryProblem } from './view';
import { find, walkOf, type Group, type Walk } from './walk';

/** The tree of stacks above the cut, from the root or from the leaves (`analyze/reports/flame.rs`). */

/** A report while it is filled. */
export type Columns = { -readonly [K in keyof FlameReport]: FlameReport[K] extends readonly (infer T)[] ? T[] : FlameReport[K] };

/** Sums of a box, as they are told. */
export type BoxSums = Pick<Group, 'inlined' | 'value' | 'base' | 'flat' | 'flatBase' | 'beside'>;
export type PushBox = (row: number, depth: number, sums: BoxSums, id: string) => void;

export function flame(answer: Answer): FlameReport {
  const { view, weights } = answer;
  const inverted = view.flags.has('inverted');
  const walk = walkOf(answer, inverted);
  const zoom = view.texts.get('zoom') ?? '';
  const rows: Row[] = [];
  const numbers = new Map<number, number>();
  const rowNumber = (key: number): number => {
    let number = numbers.get(key);
    if (number === undefined) {
      numbers.set(key, (number = rows.length));
      // Generic arguments are in the answer about a function.
      rows.push({ ...rowOf(answer, key), full_name: '' });
    }
    return number;
  };
  let root = walk.root();
  let above: readonly Group[] = [];
  if (zoom !== '') {
    const wanted = readHex(zoom);
    const found = wanted === undefined ? undefined : find(walk, root, wanted);
    if (found === undefined) throw new QueryProblem('zoom', `the zoomed frame ${zoom} is not in this view; remove zoom`, 404);
    [root, above] = found;
  }
  const header = headerOf(answer);
  const report: Columns = {
    header,
    inverted,
    row: rows,
    node: [],
    depth: [],
    cum: [],
    flat: [],
    cum_base: [],
    flat_base: [],
    cum_companion: [],
    cum_samples: [],
    cum_error: [],
    cum_change_error: [],
    cum_grown: [],
    cum_shrunk: [],
    inlined: [],
    id: [],
    closed: [],
    folded: [],
    above: above.map((group) => rowNumber(group.key)),
    above_id: above.map((group) => hexOf(group.id)),
  };
  const box: PushBox = (row, depth, group, id) => {
    report.node.push(row);
    report.depth.push(depth);
    report.cum.push(group.value);
    report.flat.push(group.flat);
    if (weights.hasBase) {
      report.cum_base.push(group.base);
      report.flat_base.push(group.flatBase);
    }
    const { samples, samples_base: samplesBase, error, change_error: changeError } = spreadOf(group.beside);
    if (header.spread !== null) {
      report.cum_samples.push(samples + samplesBase);
      report.cum_error.push(error);
      report.cum_change_error.push(changeError);
    }
    if (header.gross !== null) {
      report.cum_grown.push(group.beside.grown);
      report.cum_shrunk.push(group.beside.shrunk);
    }
    report.inlined.push(group.inlined ? 1 : 0);
    report.id.push(id);
  };
  const finished = (folded: number): FlameReport => {
    header.n_shown = report.node.length;
    header.n_total = report.node.length + folded;
    header.dropped_nodes = folded;
    header.shown = get(report.cum, 0) - get(report.cum_base, 0);
    return report;
  };
  const opened = readOpened(view.texts.get('open') ?? '');
  if (opened !== undefined) {
    const all = finished(branches({ answer, walk, report, box, rowNumber, opened, isZoomed: zoom !== '' }, root));
    // They are boxes that can be opened: nothing is left out.
    header.dropped_nodes = 0;
    return all;
  }
  const cutoff = cutoffOf(walk, root, Math.max(1, share(root.size, nodeFraction(view))));
  type Next = readonly [depth: number, group: Group | undefined, value: number, base: number, beside: Beside];
  const stack: Next[] = [[0, root, 0, 0, NOTHING_BESIDE]];
  let folded = 0;
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [depth, group, restValue, restBase, restBeside] = next;
    if (group === undefined) {
      const rest = { inlined: false, value: restValue, base: restBase, flat: restValue, flatBase: restBase, beside: restBeside };
      box(-1, depth, rest, '');
      continue;
    }
    const first = depth === 0 && zoom === '';
    box(first ? -1 : rowNumber(group.key), depth, group, first ? '' : hexOf(group.id));
    const kept: Group[] = [];
    let [value, base] = [0, 0];
    let beside = NOTHING_BESIDE;
    for (const child of walk.children(group)) {
      if (child.size >= cutoff) kept.push(child);
      else {
        value += child.value;
        base += child.base;
        beside = plusBeside(beside, child.beside);
        folded++;
      }
    }
    kept.sort(walk.compare);
    if (value !== 0 || base !== 0) stack.push([depth + 1, undefined, value, base, beside]);
    for (const child of kept.reverse()) stack.push([depth + 1, child, 0, 0, NOTHING_BESIDE]);
  }
  header.node_cutoff = cutoff;
  // The ids of other boxes follow from names (`logic/box-id.ts`).
  report.id.splice(1);
  return finished(folded);
}

/** Most boxes told at once, as the server has it. */
const BOXES = 4000;

/** The smallest box to draw: by its share, or the one that fills the number of boxes that may be drawn. */
function cutoffOf(walk: Walk, root: Group, cutoff: number): number {
  const sizes: number[] = [];
  const stack = walk.children(root);
  for (let group = stack.pop(); group !== undefined; group = stack.pop()) {
    if (group.size < cutoff) continue;
    sizes.push(group.size);
    for (const child of walk.children(group)) stack.push(child);
  }
  if (sizes.length < BOXES) return cutoff;
  const smallest = sizes.toSorted((a, b) => b - a)[BOXES - 1] ?? cutoff;
  // Equals of the last one come too, unless they are a crowd.
  return sizes.filter((size) => size >= smallest).length > 2 * BOXES ? smallest + 1 : smallest;
}

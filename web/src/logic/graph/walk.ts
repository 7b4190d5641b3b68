import type { GraphReport } from '../../api/types';
import { numberAt } from '../number-at';
import type { GraphGeometry, Place } from './geometry';

/** Navigation between nodes by arrow keys, and the largest graph that is laid out. */

export type GraphStep = 'up' | 'down' | 'left' | 'right';

/** Nodes whose heights differ by at most this many pixels form one row. */
const ROW = 24;

/** Next node: up to the heaviest caller, down to the heaviest callee, sideways to the nearest in the row; the same node if there is none. */
export function walkFrom(report: GraphReport, geometry: GraphGeometry, node: number, step: GraphStep): number {
  const { from, to, value } = report.edges;
  if (step === 'up' || step === 'down') {
    const [mine, other] = step === 'up' ? [to, from] : [from, to];
    let [best, heaviest] = [node, -1];
    mine.forEach((end, edge) => {
      const weight = Math.abs(numberAt(value, edge));
      if (end !== node || numberAt(other, edge) === node || weight <= heaviest) return;
      [best, heaviest] = [numberAt(other, edge), weight];
    });
    return best;
  }
  const here = placeOf(geometry, node);
  if (here === undefined) return node;
  const direction = step === 'left' ? -1 : 1;
  let [best, nearest] = [node, Infinity];
  report.row.forEach((_, i) => {
    const at = placeOf(geometry, i);
    if (at === undefined || Math.abs(at.y - here.y) > ROW) return;
    const distance = (at.x - here.x) * direction;
    if (distance > 0 && distance < nearest) [best, nearest] = [i, distance];
  });
  return best;
}

export function placeOf(geometry: GraphGeometry, node: number): Place | undefined {
  return geometry.nodes.get(`n${node}`);
}

const MOST_NODES = 800;
const MOST_CALLS = 3000;

/** Why a graph is too large: beyond these limits Graphviz takes minutes. Empty if it can be laid out. */
export function tooLarge(report: GraphReport): string {
  const [nodes, calls] = [report.row.length, report.edges.from.length];
  if (nodes <= MOST_NODES && calls <= MOST_CALLS) return '';
  return `${nodes.toLocaleString('en-US')} nodes with ${calls.toLocaleString('en-US')} calls would take minutes to lay out and be unreadable: at most ${MOST_NODES} nodes and ${MOST_CALLS.toLocaleString('en-US')} calls are drawn.`;
}

import type { GraphReport } from '../../api/types';
import { numberAt } from '../number-at';

/**
 * GraphReport → DOT for the layout worker. Nodes are `n0`, `n1`, … with sizes measured
 * beforehand, so no name, however strange, is ever part of the text, and what is drawn
 * fits whatever fonts the user has.
 */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The most label values drawn at one node, like pprof. */
export const MAX_TAGS = 4;

/** Tags to draw: the heaviest few of each node. */
export function shownTags(report: GraphReport): readonly number[] {
  const seen = new Map<number, number>();
  return report.tags.flatMap((tag, i) => {
    const n = seen.get(tag.node) ?? 0;
    seen.set(tag.node, n + 1);
    return n < MAX_TAGS ? [i] : [];
  });
}

/** Font size of a node by its own share, from 8 (nothing) to 24 (all) points, like pprof. */
export function nodeFontSize(flat: number, total: number): number {
  return total === 0 ? 10 : 10 + Math.round(9 * Math.sqrt(Math.min(1, Math.abs(flat) / Math.abs(total))));
}

/** From 1 to 6 pixels. */
export function edgeWidth(value: number, total: number): number {
  return total === 0 ? 1 : 1 + 5 * Math.min(1, Math.abs(value) / Math.abs(total));
}

const POINTS_PER_INCH = 72;
const inches = (pixels: number): string => (pixels / POINTS_PER_INCH).toFixed(3);

export function toDot(
  report: GraphReport,
  nodeSize: (node: number) => Size,
  tagSize: (tag: number) => Size,
  labelSize: (edge: number) => Size,
): string {
  const lines = [
    'digraph heap {',
    'graph [rankdir=TB nodesep=0.28 ranksep=0.42]',
    'node [shape=box fixedsize=true label=""]',
    'edge [arrowsize=0.6]',
  ];
  const total = Math.abs(report.header.total) || 1;
  report.row.forEach((_, i) => lines.push(`n${i} ${sized(nodeSize(i))}`));
  for (const tag of shownTags(report)) {
    lines.push(`t${tag} ${sized(tagSize(tag))}`, `n${report.tags[tag]?.node ?? 0} -> t${tag} [id="t${tag}" weight=50]`);
  }
  report.edges.from.forEach((from, i) => {
    const weight = 1 + Math.min(100, Math.round((Math.abs(numberAt(report.edges.value, i)) * 100) / total));
    const { width, height } = labelSize(i);
    const box = `<<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0" FIXEDSIZE="TRUE" WIDTH="${Math.ceil(width)}" HEIGHT="${Math.ceil(height)}"><TR><TD></TD></TR></TABLE>>`;
    lines.push(`n${from} -> n${numberAt(report.edges.to, i)} [id="e${i}" weight=${weight} label=${box}]`);
  });
  lines.push('}');
  return lines.join('\n');
}

function sized({ width, height }: Size): string {
  return `[width=${inches(width)} height=${inches(height)}]`;
}

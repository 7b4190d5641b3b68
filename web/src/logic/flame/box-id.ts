import type { FlameReport } from '../../api/types';
import { numberAt } from '../number-at';
import type { FlameLayout } from './layout';
import { hashText, hexOf, mix, readHex, START } from '../hash';

/**
 * The id of a box of the flame graph, which the server zooms by. The server does not send them all: half of an
 * answer would be hashes, and they follow from names (see FlameReport.id in the API).
 */

/** Id that zooms into a box; empty for the root and for boxes without a name. O(its depth). */
export function boxId(report: FlameReport, layout: Pick<FlameLayout, 'parent'>, box: number): string {
  const sent = report.id[box];
  if (sent !== undefined || box < 0) return sent ?? '';
  const path: number[] = [];
  let at = box;
  for (; at > 0 && report.id[at] === undefined; at = numberAt(layout.parent, at)) path.push(at);
  const first = report.id[at] ?? '';
  let id = readHex(first) ?? mix(START, 0, report.inverted ? 1 : 0);
  for (const part of path.reverse()) {
    const row = report.row[numberAt(report.node, part)];
    if (row === undefined) return '';
    const name = hashText(row.name);
    const isInlined = !report.inverted && numberAt(report.inlined, part) !== 0;
    id = mix(mix(id, name.high, name.low), 0, isInlined ? 2 : 1);
  }
  return hexOf(id);
}

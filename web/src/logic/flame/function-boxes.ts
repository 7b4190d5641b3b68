import type { FlameReport, Row } from '../../api/types';
import { numberAt } from '../number-at';
import type { FlameLayout } from './layout';
import { functionOf } from '../names/names';

/** The function of a box; undefined for the root, and for −1: no box. */
export function rowOf(report: FlameReport, box: number): Row | undefined {
  return box < 0 ? undefined : report.row[numberAt(report.node, box)];
}

/** Largest box of a function; −1 if it has none. Callers of the zoomed box count only without any other. */
export function largestOf(report: FlameReport, layout: FlameLayout, name: string): number {
  if (name === '') return -1;
  let largest = -1;
  for (let box = layout.n - 1; box >= 0; box--) {
    const row = report.row[numberAt(report.node, box)];
    if (row === undefined || functionOf(row) !== name || (largest >= 0 && box < layout.root)) continue;
    if (largest < 0 || Math.abs(numberAt(report.cum, box)) >= Math.abs(numberAt(report.cum, largest))) largest = box;
  }
  return largest;
}

/** Function with most memory as the innermost frame of the user's code, or of any code if there is none. O(boxes). */
export function heaviestFunction(report: FlameReport, layout: FlameLayout): Row | undefined {
  const hasOwn = report.row.some(({ kind }) => kind === 'own');
  const values = new Map<number, number>();
  const open: number[] = [];
  const add = (box: number, value: number): void => {
    const row = numberAt(report.node, box);
    values.set(row, (values.get(row) ?? 0) + value);
  };
  for (let box = layout.root; box < layout.n; box++) {
    const row = report.row[numberAt(report.node, box)];
    if (row === undefined || (hasOwn && row.kind !== 'own')) continue;
    while (open.length > 0 && box >= numberAt(layout.end, open.at(-1) ?? 0)) open.pop();
    const cum = Math.abs(numberAt(report.cum, box));
    const around = open.at(-1);
    if (around !== undefined) add(around, -cum);
    add(box, cum);
    open.push(box);
  }
  const [best] = [...values].sort((a, b) => b[1] - a[1]);
  return best === undefined ? undefined : report.row[best[0]];
}

import type { FlameReport } from '../../api/types';
import { boxId } from './box-id';
import type { RootedFlame } from './callers';
import { numberAt } from '../number-at';
import type { FlameLayout, FlameView } from './layout';

/**
 * The server sends what can be seen, and what was too small for that when the user zooms there: parts of the tree
 * with more detail are put in the place of the boxes they begin with.
 */
export interface DetailedFlame {
  readonly report: RootedFlame;
  /** Box → size below which its descendants were folded. */
  readonly cutoff: Float64Array;
}

/** Boxes up to this many times as wide as the window are requested whole. */
const WIDEST = 2;
/** Folded boxes narrower than this many pixels are not requested. */
const NARROWEST = 3;
/** Folded boxes of at most this many pixels are not loaded. */
const SHARP = 1.6;

export function undetailed(report: RootedFlame): DetailedFlame {
  return { report, cutoff: new Float64Array(report.node.length).fill(report.header.node_cutoff) };
}

/** Replaces `box` of `whole` and its subtree by `part`, whose first box is the same. */
export function splice({ report, cutoff }: DetailedFlame, layout: FlameLayout, box: number, part: FlameReport): DetailedFlame {
  const end = numberAt(layout.end, box);
  const depth = numberAt(layout.depth, box);
  const row = [...report.row];
  const numberOf = new Map(row.map(({ name }, i) => [name, i]));
  const renumbered = part.row.map((r) => numberOf.get(r.name) ?? row.push(r) - 1);
  const put = <T>(whole: readonly T[], inside: readonly T[]): T[] => [...whole.slice(0, box), ...inside, ...whole.slice(end)];
  const merged: RootedFlame = {
    ...report,
    row,
    node: put(
      report.node,
      part.node.map((r) => (r < 0 ? r : (renumbered[r] ?? -1))),
    ),
    depth: put(
      report.depth,
      part.depth.map((d) => d + depth),
    ),
    cum: put(report.cum, part.cum),
    flat: put(report.flat, part.flat),
    cum_base: put(report.cum_base, part.cum_base),
    flat_base: put(report.flat_base, part.flat_base),
    cum_companion: put(report.cum_companion, part.cum_companion),
    cum_samples: put(report.cum_samples, part.cum_samples),
    cum_error: put(report.cum_error, part.cum_error),
    cum_change_error: put(report.cum_change_error, part.cum_change_error),
    cum_grown: put(report.cum_grown, part.cum_grown),
    cum_shrunk: put(report.cum_shrunk, part.cum_shrunk),
    inlined: put(report.inlined, part.inlined),
    // Most answers contain only the first ids: the others follow from names.
    id: report.id.length === report.node.length ? put(report.id, part.id) : report.id,
  };
  const sharper = new Float64Array(merged.node.length).fill(part.header.node_cutoff);
  sharper.set(cutoff.subarray(0, box));
  sharper.set(cutoff.subarray(end), box + part.node.length);
  return { report: merged, cutoff: sharper };
}

/** A box to request from the server. */
export interface MissingPart {
  readonly box: number;
  readonly id: string;
}

/**
 * Boxes to request so that folded ones in the window become visible; none is inside another, the last in
 * preorder comes first: each can be spliced without moving those that follow.
 */
export function missingParts(
  { report, cutoff }: DetailedFlame,
  layout: FlameLayout,
  view: FlameView,
  requested: ReadonlySet<string>,
): readonly MissingPart[] {
  const pixels = view.width / (view.to - view.from);
  const all = Math.abs(numberAt(report.cum, layout.root)) + Math.abs(numberAt(report.cum_base, layout.root));
  if (all === 0) return [];
  const widthOf = (box: number): number => (numberAt(layout.x1, box) - numberAt(layout.x0, box)) * pixels;
  const found = new Map<number, string>();
  for (let i = layout.root + 1; i < layout.n; i++) {
    const [left, right] = [(numberAt(layout.x0, i) - view.from) * pixels, (numberAt(layout.x1, i) - view.from) * pixels];
    const row = numberAt(layout.row, i);
    if (numberAt(report.node, i) >= 0) {
      if (right - left < NARROWEST || right <= 0 || left >= view.width || row > view.lastRow) i = numberAt(layout.end, i) - 1;
      continue;
    }
    const seen = Math.min(view.width, right) - Math.max(0, left);
    if (row < view.firstRow || row > view.lastRow || seen <= NARROWEST) continue;
    if ((numberAt(cutoff, numberAt(layout.parent, i)) / all) * pixels < SHARP) continue;
    const box = boxToRequest(layout, i, view, widthOf, (candidate) => requested.has(boxId(report, layout, candidate)));
    const id = box < 0 || found.has(box) ? '' : boxId(report, layout, box);
    if (id !== '') found.set(box, id);
  }
  const outer = [...found.keys()].sort((a, b) => a - b).filter(startsOutside(layout));
  return outer.reverse().map((box) => ({ box, id: found.get(box) ?? '' }));
}

/** Drops boxes inside an earlier one; boxes are in preorder. */
function startsOutside(layout: FlameLayout): (box: number) => boolean {
  let inside = 0;
  return (box) => {
    if (box < inside) return false;
    inside = numberAt(layout.end, box);
    return true;
  };
}

/** Largest box around `folded` that is not much wider than the window and was not requested yet; −1 if there is none. */
function boxToRequest(
  layout: FlameLayout,
  folded: number,
  view: FlameView,
  widthOf: (box: number) => number,
  wasRequested: (box: number) => boolean,
): number {
  let found = -1;
  for (let at = numberAt(layout.parent, folded); at > layout.root; at = numberAt(layout.parent, at)) {
    if (found > 0 && widthOf(at) > view.width * WIDEST) break;
    if (wasRequested(at)) break;
    found = at;
  }
  return found;
}

/** Names from the root to a box, as rows of the report. */
function namesTo(report: FlameReport, layout: Pick<FlameLayout, 'parent'>, box: number): string[] {
  const names: string[] = [];
  for (let at = box; at >= 0; at = numberAt(layout.parent, at)) {
    const row = report.row[numberAt(report.node, at)];
    if (row !== undefined) names.push(row.name);
  }
  return names.reverse();
}

/** Box with this path of names from the first box; −1 if there is none. */
function follow(report: FlameReport, layout: FlameLayout, names: readonly string[]): number {
  let at = 0;
  for (const name of names) {
    let child = at + 1;
    const end = numberAt(layout.end, at);
    while (child < end && report.row[numberAt(report.node, child)]?.name !== name) child = numberAt(layout.end, child);
    if (child >= end) return -1;
    at = child;
  }
  return at;
}

/** Index in `report` of the zoomed box of another answer to the same question; −1 if absent. */
export function boxOfRoot(report: FlameReport, layout: FlameLayout, other: RootedFlame, otherLayout: FlameLayout): number {
  return report.inverted === other.inverted ? follow(report, layout, namesTo(other, otherLayout, other.root)) : -1;
}

/** Box of `report` that was `box` before more detail was loaded; −1 if it is gone. */
export function sameBox(before: FlameReport, layoutBefore: FlameLayout, box: number, report: FlameReport, layout: FlameLayout): number {
  return box <= 0 ? box : follow(report, layout, namesTo(before, layoutBefore, box));
}

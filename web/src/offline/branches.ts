import type { Answer } from './answer';
import { NOTHING_BESIDE, plusBeside, type Beside } from './beside';
import type { Columns, PushBox } from './flame';
import { hexOf } from '../logic/hash';
import { share } from './order';
import type { Opened } from './table';
import type { Group, Walk } from './walk';

/** The tree of stacks with only some boxes open (`analyze/reports/branches.rs`). */

/** Most children of a box that come with it, unless all are asked for; most at all; most boxes. */
const [LARGE, ALL, BOXES] = [200, 1000, 4000];
/** Children that hold less than this share of their box are small, unless the view says another. */
const SMALL = 0.005;

/** How a path of heaviest boxes goes on. */
type Path = 'ended' | 'while-heavy' | 'to-the-end';

interface Folded {
  readonly n: number;
  readonly value: number;
  readonly base: number;
  readonly companion: number;
  readonly beside: Beside;
}
interface Next {
  readonly depth: number;
  readonly box: Group | undefined;
  readonly path: Path;
  readonly folded: Folded | undefined;
}

export interface Branches {
  readonly answer: Answer;
  readonly walk: Walk;
  readonly report: Columns;
  readonly box: PushBox;
  readonly rowNumber: (key: number) => number;
  readonly opened: Opened;
  readonly isZoomed: boolean;
}

/** Fills the report with the boxes from `root` down that are seen when some are open; how many were folded. */
export function branches({ answer, walk, report, box, rowNumber, opened, isZoomed }: Branches, root: Group): number {
  const fraction = answer.view.numbers.get('nodefraction') ?? SMALL;
  const tell = (companion: number, closed: boolean, folded: number): void => {
    if (answer.weights.companion !== undefined) report.cum_companion.push(companion);
    report.closed.push(closed ? 1 : 0);
    report.folded.push(folded);
  };
  let nFolded = 0;
  const stack: Next[] = [{ depth: 0, box: root, path: opened.auto ? 'while-heavy' : 'ended', folded: undefined }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { depth, box: group, folded } = next;
    if (folded !== undefined) {
      nFolded += folded.n;
      const { value, base, beside } = folded;
      box(-1, depth, { inlined: false, value, base, flat: value, flatBase: base, beside }, '');
      tell(folded.companion, false, folded.n);
    }
    if (group === undefined) continue;
    const first = depth === 0;
    const unnamed = first && !isZoomed;
    box(unnamed ? -1 : rowNumber(group.key), depth, group, unnamed ? '' : hexOf(group.id));
    const asked = first ? (opened.first ?? 'large') : opened.boxes.get(group.id.high);
    const path = asked === 'hottest' ? 'to-the-end' : next.path;
    const isOpen = (asked !== undefined || path !== 'ended') && report.node.length < BOXES;
    tell(group.companion, !isOpen && walk.hasChildren(group), 0);
    if (!isOpen) continue;
    const [children, rest] = kept(answer, walk, group, asked === 'all', fraction);
    if (rest !== undefined) stack.push({ depth: depth + 1, box: undefined, path: 'ended', folded: rest });
    for (const [i, child] of [...children.entries()].reverse()) {
      const goesOn = i === 0 && (path !== 'while-heavy' || first || child.size * 2 >= group.size);
      stack.push({ depth: depth + 1, box: child, path: goesOn ? path : 'ended', folded: undefined });
    }
  }
  return nFolded;
}

/** The children that are told, and the others as one. */
function kept(answer: Answer, walk: Walk, group: Group, all: boolean, fraction: number): readonly [readonly Group[], Folded | undefined] {
  const cutoff = Math.max(1, share(group.size, fraction));
  const change = (g: Group): number => (answer.weights.hasBase ? Math.abs(g.value - g.base) : 0);
  const isSmall = (g: Group): number => (!all && g.size < cutoff ? 1 : 0);
  // With a base by difference; those that are small by what they hold come after all others.
  const children = walk.children(group).sort((a, b) => isSmall(a) - isSmall(b) || change(b) - change(a) || walk.compare(a, b));
  const large = children.filter((g) => isSmall(g) === 0).length;
  const some = Math.min(large, all ? ALL : LARGE);
  // One alone takes no more room by itself.
  const keep = some + 1 === children.length ? some + 1 : some;
  const rest = children.slice(keep);
  const sum = (of: (g: Group) => number): number => rest.reduce((s, g) => s + of(g), 0);
  const beside = rest.reduce((s, g) => plusBeside(s, g.beside), NOTHING_BESIDE);
  const folded = { n: rest.length, value: sum((g) => g.value), base: sum((g) => g.base), companion: sum((g) => g.companion), beside };
  return [children.slice(0, keep), rest.length === 0 ? undefined : folded];
}

import { numberAt as get } from '../logic/number-at';
import type { Row } from '../api/types';
import { NO_ROW, type Keys } from './keys';
import { keptCulprits, visibility, wanted, type Visibility } from './matcher';
import type { Packages } from './packages';
import type { Profile } from './profile';
import { chargesCulprits, type View } from './view';

/** The tree that a view looks at (`analyze/tree/call_tree.rs`): frames grouped by key, hidden ones left out. */
export interface Shape {
  readonly parent: Int32Array;
  readonly end: Int32Array;
  readonly key: Int32Array;
  readonly inlined: Uint8Array;
  /** Node → 1 when no node above it has the same key. */
  readonly outermost: Uint8Array;
  /** Row → node; −1: the row is dropped. */
  readonly nodeOfRow: Int32Array;
  readonly isCallTree: boolean;
  /** Key → what it stands for. */
  readonly rows: readonly Row[];
  /** Key → one of its frames; of a call tree empty. */
  readonly frames: readonly number[];
  readonly nKeys: number;
  /** Frame → 1 when it is left out because of its kind; undefined: none is. */
  readonly folded: Uint8Array | undefined;
  readonly warnings: readonly string[];
}

/** A node of the profile's tree on its way into the shape: siblings of one group become one. */
interface Child {
  readonly group: number;
  readonly node: number;
}

interface Open {
  readonly node: number;
  readonly children: readonly Child[];
  at: number;
}

export function makeShape(profile: Profile, packages: Packages, keys: Keys, view: View): Shape {
  const seen = visibility(profile, packages, view);
  const isCallTree = view.flags.has('call_tree') && view.kind === 'graph';
  const culprit = chargesCulprits(view) ? packages.culprits() : undefined;
  const kept = culprit === undefined ? undefined : keptCulprits(profile, seen, culprit);
  const grown = grow(profile, keys, seen, kept, isCallTree || joinsInlined(view));
  const n = grown.parent.length;
  let [key, rows]: [Int32Array, readonly Row[]] = [Int32Array.from(grown.key), keys.rows];
  if (isCallTree) {
    // Every node is a key of its own, with the row of the one it had.
    const rowOf = key;
    rows = Array.from(rowOf, (k) => keys.rows[k] ?? NO_ROW);
    key = Int32Array.from({ length: n }, (_, i) => i);
  }
  const end = Int32Array.from(grown.end);
  const stackEnd = seen.ends === undefined ? undefined : stackEnds(profile, seen.ends);
  const left = wanted(profile, seen);
  const nodeOfRow = profile.rowStack.map((stack) => {
    const pruned = stackEnd === undefined ? stack : get(stackEnd, stack);
    // Of two ends on one way the one nearer to the root comes first in preorder.
    const end = culprit === undefined ? pruned : Math.min(pruned, get(culprit, stack));
    // A box that is kept is of those whose culprit it is.
    const isOfOthers = kept?.[end] === 1 && culprit?.[stack] !== end;
    const node = isOfOthers ? get(grown.parent, get(grown.nodeOf, end)) : get(grown.nodeOf, end);
    return node === 0 && left?.[pruned] !== 1 && (stack !== 0 || seen.filters) ? -1 : node;
  });
  return {
    parent: Int32Array.from(grown.parent),
    end,
    key,
    inlined: Uint8Array.from(grown.inlined),
    outermost: findOutermost(key, end, rows.length),
    nodeOfRow,
    isCallTree,
    rows,
    frames: isCallTree ? [] : keys.frames,
    nKeys: rows.length,
    folded: seen.folded,
    warnings: seen.warnings,
  };
}

/** Whether code that was called and code that was inlined at one place is one box: two builds compare. */
export function joinsInlined(view: View): boolean {
  return view.kind === 'flame' && (view.dumps.has('base') || view.dumps.has('diff_base'));
}

/** Node → 1 when no node above has its key. */
function findOutermost(key: Int32Array, end: Int32Array, nKeys: number): Uint8Array {
  const open = new Int32Array(nKeys);
  const first = new Uint8Array(key.length);
  for (let i = 1; i < key.length; i++) {
    const k = get(key, i);
    if (i >= get(open, k)) {
      open[k] = get(end, i);
      first[i] = 1;
    }
  }
  return first;
}

/** Node of the profile → where a stack that ends there ends when it is cut below the marked location nearest to its leaf. */
function stackEnds(profile: Profile, marked: Uint8Array): Int32Array {
  const n = profile.parent.length;
  const ends = new Int32Array(n).fill(-1);
  for (let node = 1; node < n; node++) {
    const location = get(profile.locationOf, get(profile.frame, node));
    ends[node] = get(marked, location) === 1 ? node : get(ends, get(profile.parent, node));
  }
  return ends.map((end, node) => (end < 0 ? node : end));
}

interface Grown {
  readonly parent: number[];
  readonly end: number[];
  readonly key: number[];
  readonly inlined: number[];
  /** Node of the profile → node. */
  readonly nodeOf: Int32Array;
}

/** Merges siblings level by level, depth first, so that nodes come out in preorder. */
function grow(profile: Profile, keys: Keys, seen: Visibility, kept: Uint8Array | undefined, joins: boolean): Grown {
  const grown: Grown = { parent: [0], end: [1], key: [0], inlined: [0], nodeOf: new Int32Array(profile.parent.length) };
  const gather = gatherer(profile, keys, seen, kept, grown);
  const apart = (group: number): number => (joins ? group >> 1 : group);
  const open: Open[] = [{ node: 0, children: gather(0, [0], seen.begins === undefined), at: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const first = top.children[top.at];
    if (first === undefined) {
      grown.end[top.node] = grown.parent.length;
      open.pop();
      continue;
    }
    const node = grown.parent.length;
    const members: number[] = [];
    for (let child = top.children[top.at]; child !== undefined && apart(child.group) === apart(first.group); child = top.children[top.at]) {
      members.push(child.node);
      grown.nodeOf[child.node] = node;
      top.at++;
    }
    grown.parent.push(top.node);
    grown.end.push(node + 1);
    grown.key.push(first.group >> 1);
    grown.inlined.push(first.group & 1);
    open.push({ node, children: gather(node, members, true), at: 0 });
  }
  return grown;
}

type Gather = (node: number, members: readonly number[], begun: boolean) => readonly Child[];

/**
 * The visible children of the members of a node, sorted; hidden ones are looked through, and what ends in them
 * belongs to the node. Nothing is visible before the stack has begun.
 */
function gatherer(profile: Profile, keys: Keys, seen: Visibility, kept: Uint8Array | undefined, { nodeOf, key: keyOf }: Grown): Gather {
  const { end, frame, locationOf } = profile;
  const child = (node: number): Child => {
    const f = get(frame, node);
    return { group: (get(keys.ofFrame, f) << 1) | get(seen.inlined, f), node };
  };
  // Whether a frame below a node is part of it: hidden, or a call that is none.
  const isPassed = (f: number, node: number): boolean =>
    get(seen.hidden, f) === 1 || (node !== 0 && keys.joins?.[f] === 1 && get(keys.ofFrame, f) === keyOf[node]);
  return (node, members, begun) => {
    const found: Child[] = [];
    const scan = [...members];
    // A culprit that is kept is a box of its own without callees.
    const pass = (at: number): void => {
      nodeOf[at] = node;
      if (kept?.[at] === 1) found.push(child(at));
    };
    for (let from = scan.pop(); from !== undefined; from = scan.pop()) {
      if (kept?.[from] === 1) continue;
      const last = get(end, from);
      for (let at = from + 1; at < last; at = get(end, at)) {
        const f = get(frame, at);
        const begunBelow = begun || seen.begins === undefined || get(seen.begins, get(locationOf, f)) === 1;
        if (!begunBelow) {
          nodeOf[at] = 0;
          scan.push(at);
        } else if (!isPassed(f, node)) found.push(child(at));
        else {
          // Through it to the nearest that are seen below it.
          const below = get(end, at);
          pass(at);
          for (let inner = at + 1; inner < below;) {
            if (isPassed(get(frame, inner), node)) pass(inner++);
            else {
              found.push(child(inner));
              inner = get(end, inner);
            }
          }
        }
      }
    }
    return found.length > 1 ? found.sort((a, b) => a.group - b.group || a.node - b.node) : found;
  };
}

import { numberAt as get } from '../logic/number-at';
import type { Answer } from './answer';
import { besideOf, NOTHING_BESIDE, plusBeside, type Beside } from './beside';
import { grossTold } from './gross';
import { noiseOf } from './noise';
import { hashText, isSame, mix, START, type Hash } from '../logic/hash';
import { compareTexts, isZero } from './order';
import { nameOf } from './sums';

/** The tree of stacks as boxes, from the root or from the leaves: groups of places (`Walk` of `analyze/reports/flame.rs`). */

/** A box that is to be drawn. */
export interface Group {
  key: number;
  inlined: boolean;
  id: Hash;
  value: number;
  base: number;
  flat: number;
  flatBase: number;
  /** Sum of what its rows hold, signs left out. */
  size: number;
  /** The other one of bytes and objects; 0 where it was not asked for. */
  companion: number;
  /** How sure the value is, and what of it grew and shrank. */
  beside: Beside;
  members: Member[];
}

/** Where a group continues: the node itself from the root, the next caller from the leaves. */
interface Member {
  readonly node: number;
  /** The node that it began at. */
  readonly origin: number;
  readonly value: number;
  readonly base: number;
  readonly size: number;
}

export interface Walk {
  readonly root: () => Group;
  readonly children: (group: Group) => Group[];
  /** Whether there are boxes below, without looking at more of them than the first. */
  readonly hasChildren: (group: Group) => boolean;
  /** Largest first, then by name and id. */
  readonly compare: (a: Group, b: Group) => number;
}

/** The box with this id and the boxes above it, the outermost first; the first box of all is none. */
export function find(walk: Walk, root: Group, wanted: Hash): readonly [Group, readonly Group[]] | undefined {
  const path: Group[] = [];
  const stack: (readonly [number, Group])[] = [[0, root]];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [depth, group] = next;
    path.length = depth;
    if (depth > 0 && isSame(group.id, wanted)) return [group, path.slice(1)];
    path.push(group);
    for (const child of walk.children(group)) stack.push([depth + 1, child]);
  }
  return undefined;
}

const NONE = new Float64Array(0);

export function walkOf(answer: Answer, inverted: boolean): Walk {
  const { shape, weights } = answer;
  const { own, cum } = weights;
  const [noise, gross] = [noiseOf(answer), grossTold(answer)];
  const names = new Map<number, Hash>();
  const idOf = (parent: Hash, key: number, inlined: boolean): Hash => {
    let name = names.get(key);
    if (name === undefined) names.set(key, (name = hashText(nameOf(shape, key))));
    return mix(mix(parent, name.high, name.low), 0, inlined ? 2 : 1);
  };
  const sizes = unsignedSizes(answer);
  const magnitude = (value: number, base: number): number => Math.abs(value) + Math.abs(base);
  const size = (node: number): number => (sizes === undefined ? magnitude(get(cum.value, node), get(cum.base, node)) : get(sizes, node));
  /** What ends in a node, without signs. */
  const ending = (node: number): number => {
    if (sizes === undefined) return magnitude(get(own.value, node), get(own.base, node));
    let rest = get(sizes, node);
    for (let child = node + 1; child < get(shape.end, node); child = get(shape.end, child)) rest -= get(sizes, child);
    return rest;
  };
  const memberOf = (node: number): Member => ({
    node,
    origin: node,
    value: get(own.value, node),
    base: get(own.base, node),
    size: ending(node),
  });
  const boxOf = (node: number, id: Hash): Group => ({
    key: get(shape.key, node),
    inlined: get(shape.inlined, node) === 1,
    id,
    value: get(cum.value, node),
    base: get(cum.base, node),
    flat: get(own.value, node),
    flatBase: get(own.base, node),
    size: size(node),
    companion: get(weights.companion?.cum.value ?? NONE, node),
    beside: besideOf(noise?.cum, gross?.cum, node),
    members: [{ node, origin: node, value: 0, base: 0, size: 0 }],
  });
  const root = (): Group => {
    const box = { ...boxOf(0, mix(START, 0, inverted ? 1 : 0)), key: 0, inlined: false };
    if (!inverted) return box;
    const ends = Array.from(shape.parent, (_, node) => node).filter((node) => node > 0 && !isZero(own, node));
    return { ...box, members: ends.map(memberOf) };
  };
  const callees = (group: Group): Group[] => {
    const children: Group[] = [];
    const node = group.members[0]?.node ?? 0;
    for (let child = node + 1; child < get(shape.end, node); child = get(shape.end, child)) {
      if (get(weights.live, child) === 1)
        children.push(boxOf(child, idOf(group.id, get(shape.key, child), get(shape.inlined, child) === 1)));
    }
    return children;
  };
  const callers = (group: Group): Group[] => {
    const made = new Map<number, Group>();
    for (const member of group.members) {
      const key = get(shape.key, member.node);
      let box = made.get(key);
      if (box === undefined) {
        const id = idOf(group.id, key, false);
        const none = { value: 0, base: 0, flat: 0, flatBase: 0, size: 0, companion: 0, beside: NOTHING_BESIDE };
        made.set(key, (box = { ...none, key, inlined: true, id, members: [] }));
      }
      box.value += member.value;
      box.base += member.base;
      box.size += member.size;
      box.companion += get(weights.companion?.own.value ?? NONE, member.origin);
      box.beside = plusBeside(box.beside, besideOf(noise?.own, gross?.own, member.origin));
      box.inlined &&= get(shape.inlined, member.node) === 1;
      const caller = get(shape.parent, member.node);
      if (caller === 0) {
        box.flat += member.value;
        box.flatBase += member.base;
      } else box.members.push({ ...member, node: caller });
    }
    return [...made.values()];
  };
  const hasChildren = ({ members: [member] }: Group): boolean => {
    if (member === undefined || inverted) return member !== undefined;
    const end = get(shape.end, member.node);
    let child = member.node + 1;
    while (child < end && get(weights.live, child) === 0) child = get(shape.end, child);
    return child < end;
  };
  const byId = (a: Group, b: Group): number => a.id.high - b.id.high || a.id.low - b.id.low;
  const compare = (a: Group, b: Group): number => b.size - a.size || compareTexts(nameOf(shape, a.key), nameOf(shape, b.key)) || byId(a, b);
  return { root, children: inverted ? callers : callees, hasChildren, compare };
}

/** Node → sum of what its rows hold without signs, if any row has a negative number. */
function unsignedSizes({ shape, weights: { row } }: Answer): Float64Array | undefined {
  if (row.value.every((v) => v >= 0) && row.base.every((v) => v >= 0)) return undefined;
  const sizes = new Float64Array(shape.parent.length);
  row.value.forEach((value, i) => {
    const node = get(shape.nodeOfRow, i);
    if (node >= 0) sizes[node] = get(sizes, node) + Math.abs(value) + Math.abs(get(row.base, i));
  });
  for (let node = sizes.length - 1; node > 0; node--) {
    const parent = get(shape.parent, node);
    sizes[parent] = get(sizes, parent) + get(sizes, node);
  }
  return sizes;
}

import { get } from '../logic/flame-layout';
import { add, isZero, net, pairs, quotient, type Pairs } from './order';
import { markedLocations } from './matcher';
import { defaultValueType, nRows, type Profile } from './profile';
import type { Shape } from './shape';
import { QueryProblem, type Pattern, type View } from './view';

/** The numbers on a shape (`analyze/weigh.rs`): which rows count, in which dumps, and their sums. */
export interface Weights {
  /** Node → what ends there. */
  readonly own: Pairs;
  /** Node → its subtree. */
  readonly cum: Pairs;
  /** Node → 1 when a row of the subtree has a number that is not zero. */
  readonly live: Uint8Array;
  /** Node → 1 when a row of the subtree differs from its base. */
  readonly moved: Uint8Array;
  /** Row → value, zero where filters drop it. */
  readonly row: Pairs;
  readonly passes: Uint8Array;
  readonly total: number;
  readonly sum: readonly [number, number];
  readonly hasBase: boolean;
  readonly divisor: Weights | undefined;
  /** The other one of bytes and objects, where it is asked for and there. */
  readonly companion: Weights | undefined;
  /** Index of the value type; −1: the profile has none. */
  readonly valueType: number;
  readonly warnings: readonly string[];
}

interface Chosen {
  readonly value: readonly number[];
  readonly base: readonly number[];
  readonly percentOfBase: boolean;
}

/** `sampleIndex`: another value type than the view's. */
export function makeWeights(profile: Profile, shape: Shape, view: View, sampleIndex?: string): Weights {
  const mean = view.flags.has('mean');
  const weights = weigh(profile, shape, view, sampleIndex ?? view.texts.get('sample_index') ?? '', mean, Math.abs);
  const other = companionOf(profile, weights.valueType);
  if (other < 0 || !view.flags.has('counts') || mean) return weights;
  return { ...weights, companion: weigh(profile, shape, view, String(other), false, Math.abs) };
}

/** The value type that counts what `of` weighs, or weighs what it counts; −1: none. */
function companionOf({ valueTypes }: Profile, of: number): number {
  const kind = valueTypes[of]?.kind ?? '';
  const other = kind.endsWith('space')
    ? kind.replace(/space$/, 'objects')
    : kind.endsWith('objects')
      ? kind.replace(/objects$/, 'space')
      : '';
  return other === '' ? -1 : valueTypes.findIndex((t) => t.kind === other);
}

function weigh(profile: Profile, shape: Shape, view: View, sampleIndex: string, mean: boolean, size: (value: number) => number): Weights {
  const valueType = findValueType(profile, sampleIndex);
  const row = pairs(nRows(profile));
  const chosen = choose(profile, view);
  const has = valueType >= 0;
  const diff = has && chosen.percentOfBase;
  const normalize = view.flags.has('normalize');
  if (has) fill(profile, chosen, valueType, normalize, row);
  let divisor = mean ? weigh(profile, shape, view, '0', false, (value) => value) : undefined;
  const relative = view.flags.has('relative_percentages');
  let total = relative ? 0 : totalOf(row, diff, size);
  const { passes, warnings } = filter(profile, shape, view, row, cancelled(profile, chosen, normalize));
  if (relative) total = totalOf(row, diff, size);
  if (divisor !== undefined) total = quotient(total, Math.abs(divisor.total));
  if (divisor !== undefined && view.kind === 'flame') {
    // Boxes must add up, so means are taken stack by stack.
    for (let i = 0; i < row.value.length; i++) {
      row.value[i] = quotient(net(row, i), net(divisor.row, i));
      row.base[i] = 0;
    }
    divisor = undefined;
  }
  const spread = spreadOut(shape, row, diff);
  return { ...spread, row, passes, total, hasBase: has && chosen.base.length > 0, divisor, companion: undefined, valueType, warnings };
}

/** The value type of this name or number; `inuse_x` also means `x`. */
function findValueType(profile: Profile, name: string): number {
  if (name === '') return defaultValueType(profile);
  const types = profile.valueTypes;
  const byName = (wanted: string): number => types.findIndex((t) => t.kind === wanted);
  let found = byName(name);
  if (found < 0 && name.startsWith('inuse_')) found = byName(name.slice('inuse_'.length));
  if (found < 0 && /^\+?\d+$/.test(name) && Number(name) < types.length) found = Number(name);
  if (found >= 0) return found;
  const has = types.map((t) => t.kind).join(', ') || 'none';
  throw new QueryProblem('sample_index', `the profile has no value type ${JSON.stringify(name)}; it has ${has}`);
}

function choose(profile: Profile, view: View): Chosen {
  const n = profile.dumps.length;
  const check = (field: string): readonly number[] | undefined => {
    const dumps = view.dumps.get(field);
    const wrong = dumps?.find((dump) => dump >= n);
    if (wrong !== undefined) throw new QueryProblem(field, `${field}=${wrong}: there are ${n} dumps, numbered from 0`);
    return dumps;
  };
  const diffBase = check('diff_base');
  const base = diffBase ?? check('base') ?? [];
  const value = check('dump') ?? profile.dumps.flatMap((dump, d) => (dump.is_base || base.includes(d) ? [] : [d]));
  return { value, base, percentOfBase: diffBase !== undefined };
}

function fill(profile: Profile, chosen: Chosen, valueType: number, normalize: boolean, row: Pairs): void {
  const nTypes = profile.valueTypes.length;
  const column = (dumps: readonly number[], out: Float64Array): void => {
    for (const dump of dumps) {
      const values = profile.page.sample.values[dump * nTypes + valueType] ?? [];
      for (let i = 0; i < out.length; i++) out[i] = get(out, i) + get(values, i);
    }
  };
  column(chosen.value, row.value);
  column(chosen.base, row.base);
  if (!normalize || chosen.base.length === 0) return;
  const sum = (values: Float64Array): number => values.reduce((s, v) => s + v, 0);
  const [of, to] = [sum(row.value), sum(row.base)];
  if (of !== 0) row.value.forEach((v, i) => (row.value[i] = roundAway(v * (to / of))));
}

/** Halves away from zero. */
function roundAway(value: number): number {
  return Math.sign(value) * Math.floor(Math.abs(value) + 0.5) + 0;
}

/** Row → 1 when value less base is zero in every value type. With a diff base both sides stay. */
function cancelled(profile: Profile, chosen: Chosen, normalize: boolean): Uint8Array {
  const n = nRows(profile);
  if (chosen.base.length === 0 || chosen.percentOfBase) return new Uint8Array(n);
  const gone = new Uint8Array(n).fill(1);
  profile.valueTypes.forEach((_, valueType) => {
    const rows = pairs(n);
    fill(profile, chosen, valueType, normalize, rows);
    gone.forEach((_, i) => {
      if (net(rows, i) !== 0) gone[i] = 0;
    });
  });
  return gone;
}

/** Zeroes the rows that filters drop. */
function filter(
  profile: Profile,
  shape: Shape,
  view: View,
  row: Pairs,
  gone: Uint8Array,
): { readonly passes: Uint8Array; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const marked = (pattern: Pattern | undefined): Uint8Array | undefined =>
    pattern === undefined ? undefined : markedLocations(profile, pattern);
  const [focus, ignore] = [marked(view.patterns.get('focus')), marked(view.patterns.get('ignore'))];
  // What is ignored cannot be focused on.
  if (focus !== undefined && !focus.some((hit, l) => hit === 1 && (ignore === undefined || get(ignore, l) === 0)))
    warnings.push('Focus expression matched no samples');
  if (ignore !== undefined && !ignore.includes(1)) warnings.push('Ignore expression matched no samples');
  const [focused, ignored] = [focus, ignore].map((hits) => (hits === undefined ? undefined : onPath(profile, hits)));
  const named = focus !== undefined || ignore !== undefined;
  const drop = (i: number): void => {
    row.value[i] = 0;
    row.base[i] = 0;
  };
  const passes = Uint8Array.from(profile.rowStack, (stack, i) => {
    const stays =
      !(named && stack === 0) &&
      (focused === undefined || get(focused, stack) === 1) &&
      (ignored === undefined || get(ignored, stack) === 0) &&
      get(shape.nodeOfRow, i) !== -1;
    if (!stays) drop(i);
    // What a base cancelled still counts on both sides; only it is no row any more.
    return stays && get(gone, i) === 0 ? 1 : 0;
  });
  const ofFrames = passes.slice();
  for (const [field, keep, name] of [
    ['tagfocus', true, 'TagFocus'],
    ['tagignore', false, 'TagIgnore'],
  ] as const) {
    const labels = view.tags.get(field);
    if (labels === undefined) continue;
    const hits = profile.labels.map(labels);
    const hit = (i: number): boolean => hits[get(profile.page.sample.labels, i)] ?? false;
    if (!ofFrames.some((p, i) => p === 1 && hit(i))) warnings.push(`${name} expression matched no samples`);
    for (let i = 0; i < passes.length; i++) {
      if (hit(i) === keep) continue;
      drop(i);
      passes[i] = 0;
    }
  }
  return { passes, warnings };
}

/** Node of the profile → 1 when a location on the way from the root to it is marked. */
function onPath(profile: Profile, marked: Uint8Array): Uint8Array {
  const hit = new Uint8Array(profile.parent.length);
  for (let node = 1; node < hit.length; node++) {
    const location = get(profile.locationOf, get(profile.frame, node));
    hit[node] = get(hit, get(profile.parent, node)) | get(marked, location);
  }
  return hit;
}

/** What 100 % is: what rows are in size, or the base's where that is asked and not zero. */
function totalOf(row: Pairs, percentOfBase: boolean, size: (value: number) => number): number {
  const sum = (of: (i: number) => number): number => row.value.reduce((s, _, i) => s + size(of(i)), 0);
  if (!percentOfBase) return sum((i) => net(row, i));
  const base = sum((i) => get(row.base, i));
  return base === 0 ? sum((i) => get(row.value, i)) : base;
}

type Spread = Pick<Weights, 'own' | 'cum' | 'live' | 'moved' | 'sum'>;

/** Sums rows into nodes and nodes into their callers. */
function spreadOut(shape: Shape, row: Pairs, bothSides: boolean): Spread {
  const n = shape.parent.length;
  const [own, cum] = [pairs(n), pairs(n)];
  const [live, moved] = [new Uint8Array(n), new Uint8Array(n)];
  const sum: [number, number] = [0, 0];
  for (let i = 0; i < row.value.length; i++) {
    if (isZero(row, i)) continue;
    const node = get(shape.nodeOfRow, i);
    add(own, node, row, i);
    add(cum, node, row, i);
    live[node] = 1;
    if (bothSides || net(row, i) !== 0) moved[node] = 1;
    sum[0] += get(row.value, i);
    sum[1] += get(row.base, i);
  }
  for (let node = n - 1; node > 0; node--) {
    const parent = get(shape.parent, node);
    add(cum, parent, cum, node);
    live[parent] = get(live, parent) | get(live, node);
    moved[parent] = get(moved, parent) | get(moved, node);
  }
  return { own, cum, live, moved, sum };
}

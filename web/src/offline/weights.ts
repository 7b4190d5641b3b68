import { numberAt as get } from '../logic/number-at';
import { cancelled, choose, fill, findValueType } from './chosen';
import { add, isZero, net, pairs, quotient, type Pairs } from './order';
import { keptTypes } from './kept-types';
import { markedLocations } from './matcher';
import { blamed, type Packages } from './packages';
import { nRows, type Profile } from './profile';
import type { Shape } from './shape';
import type { Pattern, View } from './view';

/** The numbers on a shape (`analyze/tree/totals.rs`): which rows count, in which dumps, and their sums. */
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
  /** Row → 1 when it passes the filters, and no base cancelled it in every value type. */
  readonly passes: Uint8Array;
  /** Row → 1 when it passes the filters. */
  readonly kept: Uint8Array;
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

/** `sampleIndex`: another value type than the view's. */
export function makeWeights(profile: Profile, packages: Packages, shape: Shape, view: View, sampleIndex?: string): Weights {
  const mean = view.flags.has('mean');
  const weights = weigh(profile, packages, shape, view, sampleIndex ?? view.texts.get('sample_index') ?? '', mean, Math.abs);
  const other = companionOf(profile, weights.valueType);
  if (other < 0 || !view.flags.has('counts') || mean) return weights;
  return { ...weights, companion: weigh(profile, packages, shape, view, String(other), false, Math.abs) };
}

/** The value type that counts what `of` weighs, or weighs what it counts; −1: none. */
export function companionOf({ valueTypes }: Profile, of: number): number {
  const kind = valueTypes[of]?.kind ?? '';
  const other = kind.endsWith('space')
    ? kind.replace(/space$/, 'objects')
    : kind.endsWith('objects')
      ? kind.replace(/objects$/, 'space')
      : '';
  return other === '' ? -1 : valueTypes.findIndex((t) => t.kind === other);
}

function weigh(
  profile: Profile,
  packages: Packages,
  shape: Shape,
  view: View,
  sampleIndex: string,
  mean: boolean,
  size: (value: number) => number,
): Weights {
  const valueType = findValueType(profile, sampleIndex);
  const row = pairs(nRows(profile));
  const chosen = choose(profile, view);
  const has = valueType >= 0;
  const diff = has && chosen.percentOfBase;
  const normalize = view.flags.has('normalize');
  if (has) fill(profile, chosen, valueType, normalize, row);
  let divisor = mean ? weigh(profile, packages, shape, view, '0', false, (value) => value) : undefined;
  const relative = view.flags.has('relative_percentages');
  let total = relative ? 0 : totalOf(row, diff, size);
  const { passes, kept, warnings } = filter(profile, packages, shape, view, row, cancelled(profile, chosen, normalize));
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
  return {
    ...spread,
    row,
    passes,
    kept,
    total,
    hasBase: has && chosen.base.length > 0,
    divisor,
    companion: undefined,
    valueType,
    warnings,
  };
}

/** Zeroes the rows that filters drop. */
function filter(
  profile: Profile,
  packages: Packages,
  shape: Shape,
  view: View,
  row: Pairs,
  gone: Uint8Array,
): Pick<Weights, 'passes' | 'kept' | 'warnings'> {
  const warnings: string[] = [];
  const marked = (pattern: Pattern | undefined): Uint8Array | undefined =>
    pattern === undefined ? undefined : markedLocations(profile, pattern);
  const [focus, ignore] = [marked(view.patterns.get('focus')), marked(view.patterns.get('ignore'))];
  // What is ignored cannot be focused on.
  if (focus !== undefined && !focus.some((hit, l) => hit === 1 && (ignore === undefined || get(ignore, l) === 0)))
    warnings.push('Focus expression matched no samples');
  if (ignore !== undefined && !ignore.includes(1)) warnings.push('Ignore expression matched no samples');
  const [focused, ignored] = [focus, ignore].map((hits) => (hits === undefined ? undefined : onPath(profile, hits)));
  const ofBlamed = blamed(profile, packages, view, warnings);
  const ofTypes = keptTypes(profile, view, warnings);
  const named = focus !== undefined || ignore !== undefined;
  const drop = (i: number): void => {
    row.value[i] = 0;
    row.base[i] = 0;
  };
  const kept = Uint8Array.from(profile.rowStack, (stack, i) => {
    const stays =
      !(named && stack === 0) &&
      (focused === undefined || get(focused, stack) === 1) &&
      (ignored === undefined || get(ignored, stack) === 0) &&
      (ofBlamed === undefined || get(ofBlamed, stack) === 1) &&
      (ofTypes === undefined || get(ofTypes, i) === 1) &&
      get(shape.nodeOfRow, i) !== -1;
    if (!stays) drop(i);
    return stays ? 1 : 0;
  });
  // What a base cancelled still counts on both sides; only it is no row any more.
  const passes = kept.map((stays, i) => (get(gone, i) === 0 ? stays : 0));
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
      kept[i] = 0;
    }
  }
  return { passes, kept, warnings };
}

/** Row → `[value, base]` of another value type under the same filters. */
export function ofType(profile: Profile, weights: Weights, view: View, valueType: number): Pairs {
  const rows = pairs(nRows(profile));
  fill(profile, choose(profile, view), valueType, view.flags.has('normalize'), rows);
  weights.kept.forEach((kept, i) => {
    if (kept === 0) rows.value[i] = rows.base[i] = 0;
  });
  return rows;
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

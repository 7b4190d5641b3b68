import type { HeldType, Spread, TypeRow, TypesReport } from '../api/types';
import { numberAt as get } from '../logic/number-at';
import { headerOf, type Answer } from './answer';
import { spreadOf } from './beside';
import { added, at, bySize, isNothing, more, NOTHING, plain, split, type Side, type Sum } from './held';
import { rowSpreads, type Spreads } from './noise';
import { compareTexts, type Pairs } from './order';
import { text, type Profile } from './profile';
import { nameOf } from './sums';
import { rowOf } from './top';
import { companionOf, ofType } from './weights';

/** What containers hold the memory (`analyze/types/`): names and rows' types are in the file. */

/** The number of what no name tells. */
const UNKNOWN = 0;

/** Culprits told of each type. */
const CULPRITS = 3;

/** Type → what is of it. */
export type ByType = Map<number, Side>;

/** The name of a type as people write it; empty when unknown. */
function shortName(profile: Profile, of: number): string {
  return of === UNKNOWN ? '' : text(profile, get(profile.page.type.name, of));
}

function fullName(profile: Profile, of: number): string {
  return text(profile, get(profile.page.type.full_name, of));
}

function byName(profile: Profile, a: number, b: number): number {
  return compareTexts(shortName(profile, a), shortName(profile, b)) || compareTexts(fullName(profile, a), fullName(profile, b));
}

/** The type that most is of, and how much that is; with a base what changed most. */
export function mostOf(profile: Profile, byType: ByType | undefined): readonly [number, Side] {
  const ranked = [...(byType ?? [])].sort(
    ([a, x], [b, y]) => bySize(x, y) || Number(a === UNKNOWN) - Number(b === UNKNOWN) || byName(profile, a, b),
  );
  return ranked[0] ?? [UNKNOWN, { value: 0, base: 0 }];
}

export function heldType(profile: Profile, [of, { value, base }]: readonly [number, Side]): HeldType {
  return { name: shortName(profile, of), full_name: fullName(profile, of), value, base };
}

export function addType(to: ByType, of: number, { value, base }: Side): void {
  const known = to.get(of);
  to.set(of, { value: (known?.value ?? 0) + value, base: (known?.base ?? 0) + base });
}

/** Key → the type that most of what it holds itself is of, else of what it holds with all that it calls. */
export function typesByKey({ profile, shape, weights }: Answer): readonly (readonly [number, Side])[] {
  const maps = (n: number): ByType[] => Array.from({ length: n }, () => new Map());
  const [flat, cum, below] = [maps(shape.nKeys), maps(shape.nKeys), maps(shape.parent.length)];
  const put = (to: ByType | undefined, of: number, side: Side): void => {
    if (to !== undefined) addType(to, of, side);
  };
  for (let row = 0; row < weights.row.value.length; row++) {
    const side = { value: get(weights.row.value, row), base: get(weights.row.base, row) };
    const node = get(shape.nodeOfRow, row);
    if (node <= 0 || (side.value === 0 && side.base === 0)) continue;
    const of = get(profile.page.sample.type, row);
    put(flat[get(shape.key, node)], of, side);
    put(below[node], of, side);
  }
  for (let node = shape.parent.length - 1; node > 0; node--) {
    const key = get(shape.key, node);
    const isCum = get(shape.outermost, node) === 1 && flat[key]?.size === 0;
    below[node]?.forEach((side, of) => {
      if (isCum) put(cum[key], of, side);
      put(below[get(shape.parent, node)], of, side);
    });
    below[node] = new Map();
  }
  return flat.map((own, key) => mostOf(profile, own.size === 0 ? cum[key] : own));
}

/** Texts to sort rows by, as the name of the type. */
export function typeWord(profile: Profile, held: readonly [number, Side] | undefined): string {
  return held === undefined ? '' : shortName(profile, held[0]);
}

export function types(answer: Answer): TypesReport {
  const { profile, shape, weights, view } = answer;
  const header = headerOf(answer);
  const beside = companionOf(profile, weights.valueType);
  const rows = (of: number): Pairs | undefined => (of < 0 ? undefined : ofType(profile, weights, view, of));
  const [values, counts] = [rows(weights.valueType), rows(beside)];
  const spread = rowSpreads(profile, weights, view, weights.valueType);
  const shown = values === undefined ? undefined : { rows: values, spread };
  const whole = new Map<number, Sum>();
  const parts = new Map<number, Map<number, Sum>>();
  let all = NOTHING;
  for (let row = 0; row < weights.passes.length; row++) {
    const sum = at(row, shown, counts);
    if (isNothing(sum)) continue;
    all = added(all, sum);
    const of = get(profile.page.sample.type, row);
    whole.set(of, added(whole.get(of) ?? NOTHING, sum));
    const byKey = parts.get(of) ?? new Map<number, Sum>();
    parts.set(of, byKey);
    const node = get(shape.nodeOfRow, row);
    // What has no stack is nobody's.
    if (node !== 0) byKey.set(get(shape.key, node), added(byKey.get(get(shape.key, node)) ?? NOTHING, sum));
  }
  const unknown = whole.get(UNKNOWN);
  whole.delete(UNKNOWN);
  const held = [...whole].sort(([a, x], [b, y]) => bySize(x, y) || byName(profile, a, b));
  const [first, rest] = split(answer, held, NOTHING);
  const told = unknown === undefined ? first : [...first, [UNKNOWN, unknown] as const];
  const type = profile.valueTypes[beside];
  if (type !== undefined) {
    header.companion_type = type.kind;
    header.companion_unit = type.unit.toLowerCase();
  }
  header.value_total = all.value;
  header.base_total = all.base;
  header.shown = more(all);
  header.n_shown = told.length;
  header.n_total = held.length + (unknown === undefined ? 0 : 1);
  return { header, row: told.map(([of, sum]) => typeRow(answer, spread, of, sum, parts.get(of))), rest: plain(rest), n_types: held.length };
}

function typeRow(answer: Answer, noise: Spreads | undefined, of: number, sum: Sum, byKey: ReadonlyMap<number, Sum> | undefined): TypeRow {
  const { profile, shape } = answer;
  const spread = (of: Sum): Spread | null => (noise === undefined ? null : spreadOf(of.beside));
  const culprits = [...(byKey ?? [])].sort(([a, x], [b, y]) => bySize(x, y) || compareTexts(nameOf(shape, a), nameOf(shape, b)) || a - b);
  return {
    name: shortName(profile, of),
    full_name: fullName(profile, of),
    sum: plain(sum),
    spread: spread(sum),
    culprit: culprits.slice(0, CULPRITS).map(([key, part]) => ({
      row: rowOf(answer, key),
      sum: plain(part),
      spread: spread(part),
      gross: null,
      type: heldType(profile, [of, part]),
    })),
    n_culprits: culprits.length,
  };
}

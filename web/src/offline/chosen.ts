import { numberAt as get } from '../logic/number-at';
import { net, pairs, type Pairs } from './order';
import { defaultValueType, nRows, type Profile } from './profile';
import { QueryProblem, type View } from './view';

/** The numbers that a view names: value type, dumps, base (the first half of `analyze/tree/totals.rs`). */

/** Which dumps are shown, and what they are compared with. */
export interface Chosen {
  readonly value: readonly number[];
  readonly base: readonly number[];
  readonly percentOfBase: boolean;
}

/** The value type of this name or number; `inuse_x` also means `x`. */
export function findValueType(profile: Profile, name: string): number {
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

/** The dumps that a view names. */
export function choose(profile: Profile, view: View): Chosen {
  const n = profile.dumps.length;
  const check = (field: string): readonly number[] | undefined => {
    const dumps = view.dumps.get(field);
    const wrong = dumps?.find((dump) => dump >= n);
    if (wrong !== undefined) throw new QueryProblem(field, `${field}=${wrong}: only ${n} dumps are open, numbered from 0`);
    return dumps;
  };
  const diffBase = check('diff_base');
  const base = diffBase ?? check('base') ?? [];
  const value = check('dump') ?? profile.dumps.flatMap((dump, d) => (dump.is_base || dump.is_added || base.includes(d) ? [] : [d]));
  return { value, base, percentOfBase: diffBase !== undefined };
}

/** Row → `[value, base]` of a value type. What values were multiplied by to have the base's total: 1 unless that is asked. */
export function fill(profile: Profile, chosen: Chosen, valueType: number, normalize: boolean, row: Pairs): number {
  const nTypes = profile.valueTypes.length;
  const column = (dumps: readonly number[], out: Float64Array): void => {
    for (const dump of dumps) {
      const values = profile.page.sample.values[dump * nTypes + valueType] ?? [];
      for (let i = 0; i < out.length; i++) out[i] = get(out, i) + get(values, i);
    }
  };
  column(chosen.value, row.value);
  column(chosen.base, row.base);
  if (!normalize || chosen.base.length === 0) return 1;
  const sum = (values: Float64Array): number => values.reduce((s, v) => s + v, 0);
  const [of, to] = [sum(row.value), sum(row.base)];
  const factor = of === 0 ? 1 : to / of;
  if (of !== 0) row.value.forEach((v, i) => (row.value[i] = roundAway(v * factor)));
  return factor;
}

/** Halves away from zero. */
function roundAway(value: number): number {
  return Math.sign(value) * Math.floor(Math.abs(value) + 0.5) + 0;
}

/** Row → 1 when value less base is zero in every value type. With a diff base both sides stay. */
export function cancelled(profile: Profile, chosen: Chosen, normalize: boolean): Uint8Array {
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

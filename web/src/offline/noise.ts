import { numberAt as get } from '../logic/number-at';
import type { Answer } from './answer';
import { choose, fill } from './chosen';
import { net, pairs, type Pairs } from './order';
import { nRows, type Profile } from './profile';
import type { Shape } from './shape';
import { factor } from './units';
import { tells } from './cut';
import type { View } from './view';
import { companionOf, type Weights } from './weights';

/** How sure the numbers of a sampled profile are (`analyze/tree/noise.rs`, which says why). */

/** Samples of values and bases, variances of values and of differences. */
export interface Spreads {
  readonly samples: Float64Array;
  readonly samplesBase: Float64Array;
  readonly value: Float64Array;
  readonly change: Float64Array;
}

/** How sure rows, nodes and keys are. */
export interface Noises {
  readonly row: Spreads;
  /** Node → what ends there. */
  readonly own: Spreads;
  /** Node → with its subtree. */
  readonly cum: Spreads;
  /** Key → itself, and with all that it calls. */
  readonly flatOfKey: Spreads;
  readonly cumOfKey: Spreads;
}

export function spreads(n: number): Spreads {
  const column = (): Float64Array => new Float64Array(n);
  return { samples: column(), samplesBase: column(), value: column(), change: column() };
}

/** Adds row `j` of `from` to row `i` of `to`. */
export function addSpread(to: Spreads, i: number, from: Spreads, j: number): void {
  to.samples[i] = get(to.samples, i) + get(from.samples, j);
  to.samplesBase[i] = get(to.samplesBase, i) + get(from.samplesBase, j);
  to.value[i] = get(to.value, i) + get(from.value, j);
  to.change[i] = get(to.change, i) + get(from.change, j);
}

/** How the numbers of a value type were sampled in a dump: the types of objects and bytes, and the mean distance. */
interface Sampling {
  readonly objects: number;
  readonly bytes: number;
  readonly distance: number;
}

function samplingOf(profile: Profile, dump: number, valueType: number): Sampling | undefined {
  const [period, other] = [profile.dumps[dump]?.period ?? 0, companionOf(profile, valueType)];
  if (period <= 1 || other < 0) return undefined;
  const [objects, bytes] = isBytes(profile, valueType) ? [other, valueType] : [valueType, other];
  const unit = factor(profile.valueTypes[bytes]?.unit.toLowerCase() ?? '', 'bytes');
  return unit === undefined ? undefined : { objects, bytes, distance: period / unit };
}

function isBytes(profile: Profile, valueType: number): boolean {
  return profile.valueTypes[valueType]?.kind.endsWith('space') ?? false;
}

/** Row → how sure its number of this value type is, where filters keep it; undefined where nothing is sampled. */
export function rowSpreads(profile: Profile, weights: Weights, view: View, valueType: number): Spreads | undefined {
  if (view.flags.has('mean') || valueType < 0) return undefined;
  const chosen = choose(profile, view);
  const sampled = [chosen.value, chosen.base].map((dumps) =>
    dumps.flatMap((dump) => {
      const sampling = samplingOf(profile, dump, valueType);
      return sampling === undefined ? [] : [{ dump, sampling }];
    }),
  );
  const [first] = sampled.flat();
  if (first === undefined) return undefined;
  const n = nRows(profile);
  const rows = spreads(n);
  const times = fill(profile, chosen, valueType, view.flags.has('normalize'), pairs(n));
  const weighs = isBytes(profile, valueType);
  const values = (dump: number, type: number): readonly number[] =>
    profile.page.sample.values[dump * profile.valueTypes.length + type] ?? [];
  sampled.forEach((dumps, side) => {
    for (const { dump, sampling } of dumps) {
      const [objects, bytes] = [values(dump, sampling.objects), values(dump, sampling.bytes)];
      for (let i = 0; i < n; i++) {
        const [o, b] = [Math.abs(get(objects, i)), Math.abs(get(bytes, i))];
        if (o === 0 || b === 0 || get(weights.kept, i) === 0) continue;
        const size = b / o;
        const ofObjects = o / Math.expm1(size / sampling.distance);
        const variance = weighs ? size * size * ofObjects : ofObjects;
        const samples = side === 0 ? rows.samples : rows.samplesBase;
        samples[i] = get(samples, i) + o * -Math.expm1(-size / sampling.distance);
        if (side === 0) rows.value[i] = get(rows.value, i) + variance * times * times;
        rows.change[i] = get(rows.change, i) + variance * (side === 0 ? times * times : 1);
      }
    }
  });
  if (chosen.base.length > 0 && times === 1) {
    // Objects that live on are the same samples.
    const both = [first.sampling.objects, first.sampling.bytes].map((type): Pairs => {
      const column = pairs(n);
      fill(profile, chosen, type, false, column);
      return column;
    });
    for (let i = 0; i < n; i++) if (both.every((column) => net(column, i) === 0)) rows.change[i] = 0;
  }
  return rows;
}

const known = new WeakMap<Weights, Noises | 'exact'>();

/** How sure the numbers of a view are, if that is asked and anything is sampled. */
export function noiseOf({ profile, shape, weights, view }: Answer): Noises | undefined {
  if (!tells(view, 'errors')) return undefined;
  let noise = known.get(weights);
  if (noise === undefined) {
    const row = rowSpreads(profile, weights, view, weights.valueType);
    known.set(weights, (noise = row === undefined ? 'exact' : onShape(shape, row)));
  }
  return noise === 'exact' ? undefined : noise;
}

function onShape(shape: Shape, row: Spreads): Noises {
  const n = shape.parent.length;
  const [own, cum] = [spreads(n), spreads(n)];
  const [flatOfKey, cumOfKey] = [spreads(shape.nKeys), spreads(shape.nKeys)];
  for (let i = 0; i < row.samples.length; i++) {
    if (get(row.samples, i) === 0 && get(row.samplesBase, i) === 0) continue;
    const node = get(shape.nodeOfRow, i);
    addSpread(own, node, row, i);
    addSpread(cum, node, row, i);
    if (node > 0) addSpread(flatOfKey, get(shape.key, node), row, i);
  }
  for (let node = n - 1; node > 0; node--) addSpread(cum, get(shape.parent, node), cum, node);
  for (let node = 1; node < n; node++) if (get(shape.outermost, node) === 1) addSpread(cumOfKey, get(shape.key, node), cum, node);
  return { row, own, cum, flatOfKey, cumOfKey };
}

import { numberAt as get } from '../logic/number-at';
import type { GraphTag } from '../api/types';
import type { Answer } from './answer';
import { compareTexts, net, quotient } from './order';
import type { Label } from './profile';
import { factor, unitLabel, unitOf } from './units';
import { showsLabel, type View } from './view';

/** Label values that hang at nodes of the graph: sizes of objects, threads (`analyze/reports/nodelets.rs`). */
export interface Nodelets {
  /** How many of `keys` fit when values count as nodes too. */
  readonly fit: (keys: readonly number[], most: number) => number;
  readonly keep: (kept: Uint8Array) => Nodelets;
  /** What to show at `key`; `under` counts from the first. */
  readonly of: (key: number, leaf: boolean) => readonly GraphTag[];
}

/** Most values shown at a node, of texts and of numbers. */
const MOST = 4;

interface Nodelet {
  readonly name: string;
  /** Of numbers: value in bytes. */
  readonly number: number | undefined;
  /** Of numbers: the texts of the set, which they hang at. */
  readonly under: string;
  flat: number;
  cum: number;
  flatBy: number;
  cumBy: number;
}
type Value = Pick<Nodelet, 'name' | 'number' | 'under'>;

export const NO_NODELETS: Nodelets = of(new Map());

export function makeNodelets(answer: Answer, kept: Uint8Array, cutoff: number): Nodelets {
  const { profile, shape, weights, view } = answer;
  const sets = profile.labels.map((set) => valuesOf(set, view));
  const byKey = new Map<number, Map<string, Nodelet>>();
  for (let row = 0; row < weights.passes.length; row++) {
    const values = sets[get(profile.page.sample.labels, row)] ?? [];
    const value = net(weights.row, row);
    const by = weights.divisor === undefined ? 0 : net(weights.divisor.row, row);
    if ((value === 0 && by === 0) || values.length === 0) continue;
    const leaf = get(shape.nodeOfRow, row);
    for (let node = leaf; node > 0; node = get(shape.parent, node)) {
      const key = get(shape.key, node);
      if (get(kept, key) === 0) continue;
      let sums = byKey.get(key);
      if (sums === undefined) byKey.set(key, (sums = new Map()));
      for (const v of values) {
        const word = `${v.number === undefined} ${v.under}\0${v.name}`;
        let sum = sums.get(word);
        if (sum === undefined) sums.set(word, (sum = { ...v, flat: 0, cum: 0, flatBy: 0, cumBy: 0 }));
        if (node === leaf) {
          sum.flat += value;
          sum.flatBy += by;
        }
        if (get(shape.outermost, node) === 1) {
          sum.cum += value;
          sum.cumBy += by;
        }
      }
    }
  }
  const large = (t: Nodelet): boolean => Math.abs(t.flat) >= cutoff || Math.abs(t.cum) >= cutoff;
  return of(new Map([...byKey].map(([key, sums]) => [key, [...sums.values()].filter(large)])));
}

function of(byKey: ReadonlyMap<number, readonly Nodelet[]>): Nodelets {
  return {
    fit: (keys, most) => {
      let count = 0;
      for (const [i, key] of keys.entries()) {
        const tags = (byKey.get(key) ?? []).filter((t) => t.flat !== 0).length;
        count += Math.min(tags, MOST) + 1;
        if (count >= most) return i + 1;
      }
      return most;
    },
    keep: (kept) => of(new Map([...byKey].filter(([key]) => get(kept, key) === 1))),
    of: (key, leaf) => tagsAt(byKey.get(key) ?? [], leaf),
  };
}

/** Own values, or at a leaf of the graph all that passes through. */
function tagsAt(all: readonly Nodelet[], leaf: boolean): readonly GraphTag[] {
  const numbers = all.filter((t) => t.number !== undefined);
  const texts = sorted(
    all.filter((t) => t.number === undefined),
    leaf,
  );
  const tags: GraphTag[] = [];
  const numbersOf = (text: string, under: number | null): void => {
    const ofText = numbers.filter((t) => t.under === text);
    tags.push(...collapsed(ofText, leaf).flatMap((t) => tag(t, leaf, under)));
  };
  for (const text of texts.slice(0, MOST)) {
    const [shown] = tag(text, leaf, null);
    if (shown === undefined) continue;
    tags.push(shown);
    numbersOf(text.name, tags.length - 1);
  }
  numbersOf('', null);
  return tags;
}

/** Nothing where nothing is held. */
function tag(t: Nodelet, leaf: boolean, under: number | null): readonly GraphTag[] {
  const [flat, cum] = [quotient(t.flat, t.flatBy), quotient(t.cum, t.cumBy)];
  return (leaf ? cum : flat) === 0 ? [] : [{ node: 0, numeric: t.number !== undefined, under, name: t.name, flat, cum }];
}

function sorted(tags: readonly Nodelet[], byCum: boolean): Nodelet[] {
  const cum = (a: Nodelet, b: Nodelet): number => (byCum ? Math.abs(b.cum) - Math.abs(a.cum) : 0);
  return tags.toSorted((a, b) => cum(a, b) || Math.abs(b.flat) - Math.abs(a.flat) || compareTexts(a.name, b.name));
}

/** Sorted; numbers beyond the fourth join the nearest of the first four as a range. */
function collapsed(numbers: readonly Nodelet[], leaf: boolean): readonly Nodelet[] {
  const all = sorted(numbers, leaf);
  if (all.length <= MOST) return all;
  const groups = all.slice(0, MOST).map((first) => [first]);
  const value = (t: Nodelet | undefined): number => t?.number ?? 0;
  for (const t of all.slice(MOST)) {
    const far = groups.map((group) => Math.abs(value(t) - value(group[0])));
    groups[far.indexOf(Math.min(...far))]?.push(t);
  }
  const text = (bytes: number): string => unitLabel(bytes, 'bytes', 'auto');
  const joined = groups.map((group): Nodelet => {
    const [low, high] = [Math.min(...group.map(value)), Math.max(...group.map(value))];
    const sum = (part: 'flat' | 'cum' | 'flatBy' | 'cumBy'): number => group.reduce((s, t) => s + t[part], 0);
    return {
      name: group.length === 1 ? text(low) : `${text(low)}..${text(high)}`,
      number: low,
      under: group[0]?.under ?? '',
      flat: sum('flat'),
      cum: sum('cum'),
      flatBy: sum('flatBy'),
      cumBy: sum('cumBy'),
    };
  });
  return sorted(joined, leaf);
}

/** What a label set shows: its texts as one value, and each number of bytes. */
function valuesOf(set: readonly Label[], view: View): readonly Value[] {
  const texts: string[] = [];
  const numbers: { name: string; number: number }[] = [];
  for (const label of set.filter((l) => showsLabel(view, l.key))) {
    if (label.kind === 'text') texts.push(`${label.key}:${label.text}`);
    else if (label.key === 'bytes') {
      const from = unitOf(label.key, label.unit);
      const by = factor(from, 'bytes');
      const bytes = by === undefined ? label.number : Math.trunc(label.number * by);
      numbers.push({ name: unitLabel(label.number, from, view.texts.get('unit') ?? 'minimum'), number: bytes });
    }
  }
  const under = texts.sort(compareTexts).join('\n');
  const values: Value[] = numbers.map((n) => ({ ...n, under }));
  return texts.length === 0 ? values : [...values, { name: under, number: undefined, under: '' }];
}

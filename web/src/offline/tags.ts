import type { TagKey, TagNumber, TagRange, TagsReport, TagValue } from '../api/types';
import { headerOf, type Answer } from './answer';
import { add, compareTexts, pairs } from './order';
import { factor, isKnown, unitLabel, unitOf } from './units';
import { showsLabel } from './view';

interface Sum {
  value: number;
  base: number;
}
interface Said extends Sum {
  readonly numbers: Map<string, Sum & { readonly number: number; readonly unit: string }>;
}

/** Every label key and value with what its samples hold (`analyze/reports/tags.rs`). */
export function tags(answer: Answer): TagsReport {
  const { profile, weights, view } = answer;
  const sets = profile.page.sample.labels;
  const ofSet = pairs(profile.labels.length);
  sets.forEach((set, row) => {
    add(ofSet, set, weights.row, row);
  });
  const plus = (to: Sum, set: number): void => {
    to.value += ofSet.value[set] ?? 0;
    to.base += ofSet.base[set] ?? 0;
  };
  const keys = new Map<string, Map<string, Said>>();
  const seen = new Set<number>();
  sets.forEach((set, row) => {
    if (weights.passes[row] !== 1 || seen.has(set)) return;
    seen.add(set);
    for (const label of profile.labels[set] ?? []) {
      if (!showsLabel(view, label.key)) continue;
      const values = getOr(keys, label.key, () => new Map<string, Said>());
      const unit = label.kind === 'number' ? unitOf(label.key, label.unit) : '';
      const name = label.kind === 'text' ? label.text : unitLabel(label.number, unit, view.texts.get('unit') ?? 'minimum');
      const said = getOr(values, name, () => ({ value: 0, base: 0, numbers: new Map() }));
      if (label.kind === 'number') {
        const { number } = label;
        plus(
          getOr(said.numbers, `${number} ${unit}`, () => ({ number, unit, value: 0, base: 0 })),
          set,
        );
      }
      plus(said, set);
    }
  });
  const sorted = [...keys].sort(([a], [b]) => compareTexts(a, b));
  return { header: headerOf(answer), tag: sorted.map(([key, values]) => tagKey(key, values)) };
}

function getOr<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** Most values of one label told, as the server has it. */
const MOST = 1000;

function tagKey(key: string, values: ReadonlyMap<string, Said>): TagKey {
  const size = (v: TagValue): number => Math.abs(v.value - v.base);
  const told = [...values].map(([name, { value, base, numbers }]): TagValue => {
    const sorted = [...numbers.values()].sort((a, b) => a.number - b.number || compareTexts(a.unit, b.unit));
    return { name, value, base, numbers: sorted.map(({ number, unit, ...sum }): TagNumber => ({ number, unit, ...sum })) };
  });
  told.sort((a, b) => size(b) - size(a) || compareTexts(a.name, b.name));
  const total = told.reduce((sum, v) => sum + v.value, 0);
  return {
    key,
    total,
    total_base: told.reduce((sum, v) => sum + v.base, 0),
    n_values: told.length,
    range: ranges(told),
    values: told.slice(0, MOST),
  };
}

/** Up to this many different numbers have a range each. */
const FEW = 12;

/** What the numbers of a key are, each with what it holds: ranges that double. */
function ranges(values: readonly TagValue[]): TagRange[] {
  // By what a filter writes behind a number: those that convert are one list.
  const byUnit = new Map<string, Map<number, Sum>>();
  for (const n of values.flatMap((value) => value.numbers)) {
    const bytes = factor(n.unit, 'bytes');
    const by = bytes ?? factor(n.unit, 'nanoseconds');
    // What a filter could not say is not offered.
    if (by === undefined && isKnown(n.unit)) continue;
    const suffix = by === undefined ? '' : bytes === undefined ? 'ns' : 'b';
    const number = Math.trunc(n.number * (by ?? 1));
    const sum = getOr(
      getOr(byUnit, suffix, () => new Map<number, Sum>()),
      number,
      () => ({ value: 0, base: 0 }),
    );
    sum.value += n.value;
    sum.base += n.base;
  }
  return [...byUnit]
    .sort(([a], [b]) => compareTexts(a, b))
    .flatMap(([suffix, numbers]) => {
      const found = new Map<number, { low: number; high: number } & Sum>();
      for (const [number, sum] of [...numbers].sort(([a], [b]) => a - b)) {
        const [low, high] = numbers.size <= FEW ? [number, number] : doubling(number);
        const to = getOr(found, low, () => ({ low, high, value: 0, base: 0 }));
        to.value += sum.value;
        to.base += sum.base;
      }
      const word = (n: number): string => (n === LEAST ? `-9223372036854775807${suffix}` : `${n}${suffix}`);
      return [...found.values()].map(({ low, high, value, base }) => {
        const filter = low === high ? word(low) : `${word(low)}:${word(high)}`;
        return { low, high, filter, value, base };
      });
    });
}

const LEAST = -(2 ** 63);

/** The range that a number is in: to the next power of two. */
function doubling(number: number): readonly [number, number] {
  if (number < 0) return [LEAST, -1];
  if (number <= 1) return [number, number];
  let high = 2;
  while (high < number) high *= 2;
  return [high / 2 + 1, high];
}

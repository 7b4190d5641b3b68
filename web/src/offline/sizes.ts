import { numberAt as get } from '../logic/number-at';
import type { Row, SizeClass, SizePart, SizesReport, SizeSum } from '../api/types';
import { headerOf, withoutMean, type Answer } from './answer';
import { compareTexts } from './order';
import type { Label, Profile } from './profile';
import { nameOf } from './sums';
import { rowOf } from './top';
import { factor, isKnown, unitOf } from './units';
import { nodeCount } from './cut';
import { showsLabel } from './view';
import { makeWeights, type Weights } from './weights';

/** Objects by size (`analyze/reports/sizes.rs`): classes in steps of 8 bytes up to 64, then four to each doubling. */

type Sum = { -readonly [K in keyof SizeSum]: number };
type Class = { -readonly [K in keyof SizeClass]: SizeClass[K] } & { sum: Sum; rest: Sum; part: SizePart[] };

const none = (): Sum => ({ bytes: 0, bytes_base: 0, objects: 0, objects_base: 0 });
/** The key of what has no frame. */
const NOBODY = -1;

export function sizes(asked: Answer): SizesReport {
  const answer = withoutMean(asked);
  const { profile, shape, weights, view } = answer;
  const shown = weights.valueType;
  const types = typesOf(profile, shown);
  const ofType = (type: number): Weights | undefined =>
    type < 0 ? undefined : type === shown ? weights : makeWeights(profile, answer.packages, shape, view, String(type));
  const [bytes, objects] = [ofType(types.bytes), ofType(types.objects)];
  const labels = profile.labels.map((set) => (showsLabel(view, 'bytes') ? labelSize(set) : undefined));
  const by = factor(profile.valueTypes[types.bytes]?.unit ?? '', 'bytes') ?? 1;
  const sums = new Map<number, Map<number, Sum>>();
  const unsized = none();
  for (let row = 0; row < weights.passes.length; row++) {
    const value = (of: Weights | undefined, side: 'value' | 'base'): number => (of === undefined ? 0 : get(of.row[side], row));
    const sides = [
      { bytes: value(bytes, 'value'), objects: value(objects, 'value'), bytes_base: 0, objects_base: 0 },
      { bytes: 0, objects: 0, bytes_base: value(bytes, 'base'), objects_base: value(objects, 'base') },
    ];
    if (sides.every(isNothing)) continue;
    const node = get(shape.nodeOfRow, row);
    const key = node <= 0 ? NOBODY : get(shape.key, node);
    const label = labels[get(profile.page.sample.labels, row)];
    for (const side of sides) {
      const inBytes = (side.bytes + side.bytes_base) * by;
      const size = label ?? mean(by === 1 ? inBytes : Math.trunc(inBytes), side.objects + side.objects_base);
      if (size === undefined) add(unsized, side);
      else
        add(
          getOr(
            getOr(sums, classOf(size), () => new Map<number, Sum>()),
            key,
            none,
          ),
          side,
        );
    }
  }
  const from = labels.some((size) => size !== undefined) ? 'label' : bytes !== undefined && objects !== undefined ? 'mean' : 'nothing';
  const header = headerOf(answer);
  if (from === 'nothing') {
    const said = 'object sizes are unknown: the profile has neither "bytes" labels nor both objects and bytes';
    header.warnings = [...header.warnings, said];
  }
  const rows: Row[] = [];
  const classes = classesOf(answer, sums, bytes === weights, rows);
  header.n_shown = classes.length;
  header.n_total = classes.length;
  header.shown = weights.sum[0] - weights.sum[1];
  return {
    header,
    from,
    bytes_type: profile.valueTypes[types.bytes]?.kind ?? '',
    bytes_unit: profile.valueTypes[types.bytes]?.unit.toLowerCase() ?? '',
    bytes_total: bytes?.total ?? 0,
    objects_type: profile.valueTypes[types.objects]?.kind ?? '',
    objects_total: objects?.total ?? 0,
    row: rows,
    class: classes,
    unsized,
  };
}

function getOr<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function isNothing(sum: SizeSum): boolean {
  return sum.bytes === 0 && sum.bytes_base === 0 && sum.objects === 0 && sum.objects_base === 0;
}

function add(to: Sum, more: SizeSum): void {
  to.bytes += more.bytes;
  to.bytes_base += more.bytes_base;
  to.objects += more.objects;
  to.objects_base += more.objects_base;
}

/** The value types that belong together: bytes and objects of the same; −1: none. */
function typesOf({ valueTypes }: Profile, shown: number): { readonly bytes: number; readonly objects: number } {
  const [isBytes, isCount] = [
    (i: number): boolean => factor(valueTypes[i]?.unit ?? '', 'bytes') !== undefined,
    (i: number): boolean => !isKnown(valueTypes[i]?.unit ?? ''),
  ];
  const { kind } = valueTypes[shown] ?? { kind: '' };
  const other = (from: string, to: string, is: (i: number) => boolean): number => {
    let found = kind.includes(from) ? valueTypes.findIndex((t) => t.kind === kind.replaceAll(from, to)) : -1;
    if (found < 0 && valueTypes.length === 2) found = 1 - shown;
    return found >= 0 && is(found) ? found : -1;
  };
  if (shown < 0) return { bytes: -1, objects: -1 };
  if (isBytes(shown)) return { bytes: shown, objects: other('space', 'objects', isCount) };
  return isCount(shown) ? { bytes: other('objects', 'space', isBytes), objects: shown } : { bytes: -1, objects: -1 };
}

/** Size in bytes that a label set tells. */
function labelSize(set: readonly Label[]): number | undefined {
  for (const label of set) {
    if (label.kind !== 'number' || label.key !== 'bytes') continue;
    const unit = unitOf('bytes', label.unit);
    const by = factor(unit, 'bytes');
    const size = by === undefined ? -1 : unit === 'bytes' ? label.number : Math.trunc(label.number * by);
    if (size >= 0) return size;
  }
  return undefined;
}

/** The mean size of some objects, rounded. */
function mean(bytes: number, objects: number): number | undefined {
  if (objects === 0 || bytes === 0 || bytes < 0 !== objects < 0) return undefined;
  const [all, n] = [Math.abs(bytes), Math.abs(objects)];
  return Math.floor(all / n) + (all % n >= Math.ceil(n / 2) ? 1 : 0);
}

/** Sums by class and function, the heaviest functions of each class by name; fills `rows`. */
function classesOf(answer: Answer, sums: ReadonlyMap<number, ReadonlyMap<number, Sum>>, byBytes: boolean, rows: Row[]): SizeClass[] {
  const name = (key: number): string => (key === NOBODY ? '' : nameOf(answer.shape, key));
  // What is compared: the larger side, so that what came and what went are both seen.
  const weight = (sum: SizeSum): number =>
    byBytes ? Math.max(Math.abs(sum.bytes), Math.abs(sum.bytes_base)) : Math.max(Math.abs(sum.objects), Math.abs(sum.objects_base));
  const last = (key: number): number => (key === NOBODY ? Infinity : key);
  const most = nodeCount(answer.view);
  const numbers = new Map<number, number>();
  const classes: Class[] = [];
  const some = [...sums].map(([number, ofKey]) => [number, [...ofKey].filter(([, sum]) => !isNothing(sum))] as const);
  const sorted = some.filter(([, ofKey]) => ofKey.length > 0).sort(([a], [b]) => a - b);
  const first = sorted[0]?.[0] ?? 0;
  for (const [number, ofKey] of sorted) {
    for (let next = first + classes.length; next <= number; next++) {
      const [low, high] = bounds(next);
      classes.push({ low, high, sum: none(), part: [], rest: none(), n_rest: 0 });
    }
    const into = classes.at(-1);
    if (into === undefined) continue;
    for (const [key, sum] of ofKey.sort(([a, x], [b, y]) => weight(y) - weight(x) || compareTexts(name(a), name(b)) || last(a) - last(b))) {
      add(into.sum, sum);
      if (key === NOBODY || (most > 0 && into.part.length >= most)) {
        add(into.rest, sum);
        if (key !== NOBODY) into.n_rest++;
        continue;
      }
      const row = getOr(numbers, key, () => rows.push(rowOf(answer, key)) - 1);
      into.part.push({ row, sum });
    }
  }
  return classes;
}

/** The class that a size is in; classes are numbered from the smallest. */
function classOf(size: number): number {
  if (size <= 64) return Math.ceil(Math.max(0, size) / 8);
  const before = size - 1;
  const log = before < 2 ** 32 ? 31 - Math.clz32(before) : 63 - Math.clz32(Math.floor(before / 2 ** 32));
  const quarter = Math.floor(before / 2 ** (log - 2)) % 4;
  return 9 + (log - 6) * 4 + quarter;
}

/** Smallest and largest size of a class. */
function bounds(number: number): readonly [number, number] {
  if (number < 9) return [number === 0 ? 0 : number * 8 - 7, number * 8];
  const start = 64 * 2 ** Math.floor((number - 9) / 4);
  const low = start + (start / 4) * ((number - 9) % 4) + 1;
  return [low, low + start / 4 - 1];
}

import type { SummaryPackage, SummaryReport, SummarySum } from '../api/types';
import { get } from '../logic/flame-layout';
import { headerOf, withoutMean, type Answer } from './answer';
import { compareTexts, type Pairs } from './order';
import { nameOf } from './sums';
import { rowOf } from './top';
import { nodeCount } from './view';
import { companionOf, ofType } from './weights';

/** Totals, culprits, packages (`analyze/summary.rs`). */

/** No key. */
const NOBODY = -1;

type Held = readonly (readonly [number, SummarySum])[];

const NOTHING: SummarySum = { value: 0, base: 0, companion: 0, companion_base: 0 };

export function summary(asked: Answer): SummaryReport {
  const answer = withoutMean(asked);
  const { profile, shape, weights, view } = answer;
  const header = headerOf(answer);
  const types = profile.valueTypes.map((type, i) => ({ type, rows: ofType(profile, weights, view, i) }));
  const total = types.map(({ type, rows }) => ({
    value_type: type.kind,
    unit: type.unit.toLowerCase(),
    value: rows.value.reduce((sum, v) => sum + v, 0),
    base: rows.base.reduce((sum, v) => sum + v, 0),
  }));
  const beside = types[companionOf(profile, weights.valueType)];
  const byKey = new Map<number, SummarySum>();
  let all = NOTHING;
  for (let row = 0; row < weights.passes.length; row++) {
    const sum = at(row, types[weights.valueType]?.rows, beside?.rows);
    if (isNothing(sum)) continue;
    all = added(all, sum);
    // The shape's stacks end at their culprits.
    const node = get(shape.nodeOfRow, row);
    const key = node === 0 ? NOBODY : get(shape.key, node);
    byKey.set(key, added(byKey.get(key) ?? NOTHING, sum));
  }
  const ofNobody = byKey.get(NOBODY) ?? NOTHING;
  byKey.delete(NOBODY);
  const held: Held = [...byKey].sort(([a, x], [b, y]) => bySize(x, y) || compareTexts(nameOf(shape, a), nameOf(shape, b)) || a - b);
  const changes = weights.hasBase ? held.map(([, sum]) => more(sum)) : [];
  const [grown, shrunk] = [changes.filter((c) => c > 0), changes.filter((c) => c < 0)];
  const [first, rest] = split(answer, held, ofNobody);
  const packages = packagesOf(answer, held);
  const [firstPackages, packageRest] = split(answer, packages, ofNobody);
  if (beside !== undefined) {
    header.companion_type = beside.type.kind;
    header.companion_unit = beside.type.unit.toLowerCase();
  }
  header.value_total = all.value;
  header.base_total = all.base;
  header.shown = more(all);
  header.n_shown = first.length;
  header.n_total = held.length;
  return {
    header,
    total,
    culprit: first.map(([key, sum]) => ({ row: rowOf(answer, key), sum })),
    rest,
    n_culprits: held.length,
    package: firstPackages.map(([of, sum]) => ({ ...of, sum })),
    package_rest: packageRest,
    n_packages: packages.length,
    grown: grown.reduce((sum, c) => sum + c, 0),
    shrunk: shrunk.reduce((sum, c) => sum + c, 0),
    n_grown: grown.length,
    n_shrunk: shrunk.length,
  };
}

type Owner = Omit<SummaryPackage, 'sum'>;

/** Culprits added up by package, heaviest first. */
function packagesOf(answer: Answer, held: Held): readonly (readonly [Owner, SummarySum])[] {
  const sums = new Map<string, readonly [Owner, SummarySum]>();
  for (const [key, sum] of held) {
    // The first one is the heaviest: what it is, the package is.
    const { package: name, version, kind } = rowOf(answer, key);
    const word = JSON.stringify([name, version]);
    const [of, before] = sums.get(word) ?? [{ package: name, version, kind, n_culprits: 0 }, NOTHING];
    sums.set(word, [{ ...of, n_culprits: of.n_culprits + 1 }, added(before, sum)]);
  }
  return [...sums.values()].sort(
    ([a, x], [b, y]) => bySize(x, y) || compareTexts(a.package, b.package) || compareTexts(a.version, b.version),
  );
}

/** Those that are told, and what all others hold. */
function split<T>(
  { view }: Answer,
  held: readonly (readonly [T, SummarySum])[],
  ofNobody: SummarySum,
): readonly [readonly (readonly [T, SummarySum])[], SummarySum] {
  const most = nodeCount(view) || held.length;
  return [held.slice(0, most), held.slice(most).reduce((rest, [, sum]) => added(rest, sum), ofNobody)];
}

function at(row: number, rows: Pairs | undefined, beside: Pairs | undefined): SummarySum {
  return {
    value: rows?.value[row] ?? 0,
    base: rows?.base[row] ?? 0,
    companion: beside?.value[row] ?? 0,
    companion_base: beside?.base[row] ?? 0,
  };
}

function added(a: SummarySum, b: SummarySum): SummarySum {
  return {
    value: a.value + b.value,
    base: a.base + b.base,
    companion: a.companion + b.companion,
    companion_base: a.companion_base + b.companion_base,
  };
}

function isNothing(sum: SummarySum): boolean {
  return sum.value === 0 && sum.base === 0 && sum.companion === 0 && sum.companion_base === 0;
}

function more({ value, base }: SummarySum): number {
  return value - base;
}

/** What comes first: the largest change, then the largest side of it. */
function bySize(a: SummarySum, b: SummarySum): number {
  const side = ({ value, base }: SummarySum): number => Math.max(Math.abs(value), Math.abs(base));
  return Math.abs(more(b)) - Math.abs(more(a)) || side(b) - side(a);
}

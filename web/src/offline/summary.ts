import type { SummaryPackage, SummaryReport, SummarySum } from '../api/types';
import { get } from '../logic/flame-layout';
import { headerOf, withoutMean, type Answer } from './answer';
import { besideOf, changeOf, hides, NOTHING_BESIDE, plusBeside, spreadOf, sumOf, type Beside } from './beside';
import { grossTold } from './gross';
import { rowSpreads, type Spreads } from './noise';
import { compareTexts, type Pairs } from './order';
import { nameOf } from './sums';
import { rowOf } from './top';
import { nodeCount } from './view';
import { companionOf, ofType } from './weights';

/** Totals, culprits, packages (`analyze/summary.rs`). */

/** No key. */
const NOBODY = -1;

interface Sum extends SummarySum {
  readonly beside: Beside;
}
type Held = readonly (readonly [number, Sum])[];

const NOTHING: Sum = { value: 0, base: 0, companion: 0, companion_base: 0, beside: NOTHING_BESIDE };

export function summary(asked: Answer): SummaryReport {
  const answer = withoutMean(asked);
  const { profile, shape, weights, view } = answer;
  const header = headerOf(answer);
  const types = profile.valueTypes.map((type, i) => ({
    type,
    rows: ofType(profile, weights, view, i),
    spread: rowSpreads(profile, weights, view, i),
  }));
  const total = types.map(({ type, rows, spread }) => ({
    value_type: type.kind,
    unit: type.unit.toLowerCase(),
    value: rows.value.reduce((sum, v) => sum + v, 0),
    base: rows.base.reduce((sum, v) => sum + v, 0),
    spread: spread === undefined ? null : spreadOf(sumOf(spread)),
  }));
  const beside = types[companionOf(profile, weights.valueType)];
  const shown = types[weights.valueType];
  const byKey = new Map<number, Sum>();
  let all = NOTHING;
  for (let row = 0; row < weights.passes.length; row++) {
    const sum = at(row, shown, beside?.rows);
    if (isNothing(sum)) continue;
    all = added(all, sum);
    // The shape's stacks end at their culprits.
    const node = get(shape.nodeOfRow, row);
    const key = node === 0 ? NOBODY : get(shape.key, node);
    byKey.set(key, added(byKey.get(key) ?? NOTHING, sum));
  }
  const ofNobody = byKey.get(NOBODY) ?? NOTHING;
  byKey.delete(NOBODY);
  const gross = grossTold(answer);
  for (const [key, sum] of gross === undefined ? [] : byKey)
    byKey.set(key, { ...sum, beside: plusBeside(sum.beside, besideOf(undefined, gross?.flatOfKey, key)) });
  const held: Held = [...byKey].sort(([a, x], [b, y]) => bySize(x, y) || compareTexts(nameOf(shape, a), nameOf(shape, b)) || a - b);
  const changed = held.map(([, sum]) => sum).filter((sum) => weights.hasBase && more(sum) !== 0);
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
  header.n_new = changed.filter((sum) => sum.base === 0).length;
  header.n_gone = changed.filter((sum) => sum.value === 0).length;
  header.within_noise = changed.reduce((sum, c) => sum + (hides(c.beside, more(c)) ? Math.abs(more(c)) : 0), 0);
  const told = (sum: Sum): Pick<SummaryPackage, 'sum' | 'spread' | 'gross'> => ({
    sum: plain(sum),
    spread: shown?.spread === undefined ? null : spreadOf(sum.beside),
    gross: gross === undefined ? null : changeOf(sum.beside),
  });
  return {
    header,
    total,
    culprit: first.map(([key, sum]) => ({ row: rowOf(answer, key), ...told(sum) })),
    rest: plain(rest),
    n_culprits: held.length,
    package: firstPackages.map(([of, sum]) => ({ ...of, ...told(sum) })),
    package_rest: plain(packageRest),
    n_packages: packages.length,
    n_grown: changed.filter((sum) => more(sum) > 0).length,
    n_shrunk: changed.filter((sum) => more(sum) < 0).length,
  };
}

type Owner = Omit<SummaryPackage, 'sum' | 'spread' | 'gross'>;

/** Culprits added up by package, heaviest first. */
function packagesOf(answer: Answer, held: Held): readonly (readonly [Owner, Sum])[] {
  const sums = new Map<string, readonly [Owner, Sum]>();
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
function split<T>({ view }: Answer, held: readonly (readonly [T, Sum])[], ofNobody: Sum): readonly [readonly (readonly [T, Sum])[], Sum] {
  const most = nodeCount(view) || held.length;
  return [held.slice(0, most), held.slice(most).reduce((rest, [, sum]) => added(rest, sum), ofNobody)];
}

function at(
  row: number,
  shown: { readonly rows: Pairs; readonly spread: Spreads | undefined } | undefined,
  beside: Pairs | undefined,
): Sum {
  return {
    value: shown?.rows.value[row] ?? 0,
    base: shown?.rows.base[row] ?? 0,
    companion: beside?.value[row] ?? 0,
    companion_base: beside?.base[row] ?? 0,
    beside: besideOf(shown?.spread, undefined, row),
  };
}

function added(a: Sum, b: Sum): Sum {
  return {
    value: a.value + b.value,
    base: a.base + b.base,
    companion: a.companion + b.companion,
    companion_base: a.companion_base + b.companion_base,
    beside: plusBeside(a.beside, b.beside),
  };
}

function plain({ value, base, companion, companion_base }: Sum): SummarySum {
  return { value, base, companion, companion_base };
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

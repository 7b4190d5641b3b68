import type { SummaryPackage, SummaryReport } from '../api/types';
import { numberAt as get } from '../logic/number-at';
import { headerOf, withoutMean, type Answer } from './answer';
import { besideOf, changeOf, hides, plusBeside, spreadOf, sumOf } from './beside';
import { grossTold } from './gross';
import { added, at, bySize, isNothing, more, NOTHING, plain, split, type Sum } from './held';
import { rowSpreads } from './noise';
import { compareTexts } from './order';
import { nameOf } from './sums';
import { rowOf } from './top';
import { addType, heldType, mostOf, type ByType } from './types';
import { companionOf, ofType } from './weights';

/** Totals, culprits, packages (`analyze/reports/summary.rs`). */

/** No key. */
const NOBODY = -1;

type Held = readonly (readonly [number, Sum])[];

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
  const byType = new Map<number, ByType>();
  let all = NOTHING;
  for (let row = 0; row < weights.passes.length; row++) {
    const sum = at(row, shown, beside?.rows);
    if (isNothing(sum)) continue;
    all = added(all, sum);
    // The shape's stacks end at their culprits.
    const node = get(shape.nodeOfRow, row);
    const key = node === 0 ? NOBODY : get(shape.key, node);
    byKey.set(key, added(byKey.get(key) ?? NOTHING, sum));
    const of: ByType = byType.get(key) ?? new Map();
    byType.set(key, of);
    addType(of, get(profile.page.sample.type, row), sum);
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
    culprit: first.map(([key, sum]) => ({
      row: rowOf(answer, key),
      ...told(sum),
      type: heldType(profile, mostOf(profile, byType.get(key))),
    })),
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

import type { TopReport } from '../../../api/types';
import { numberAt } from '../../../logic/number-at';
import { formatGrowth } from '../../../logic/text/format';
import type { SortKey } from '../../../logic/table/order';
import type { PlacedRow } from '../../../logic/table/row-pages';
import { Delta } from '../../../ui/delta';
import type { Column } from '../../../ui/table/column';
import { Value } from '../cells';
import { numeric, type TopContext } from './numeric-column';

/** A column of numbers of a page of rows. */
type Of = (page: TopReport) => readonly number[];

/** Key, label, hint, and order in which columns are left out; undefined: only on request. */
type Named<Key> = readonly [key: Key, label: string, hint: string, spare: number | undefined];

/** Numbers of a table with a baseline: current, baseline and difference. */
export function baseColumns(context: TopContext): readonly Column[] {
  const flat: readonly [Of, Of] = [(p) => p.flat, (p) => p.flat_base];
  const cum: readonly [Of, Of] = [(p) => p.cum, (p) => p.cum_base];
  return [
    side(context, ['flat', 'Flat', 'Held by the function itself, now', 2], flat[0]),
    side(context, ['base', 'Baseline', 'Self, in the baseline', 2], flat[1]),
    change(context, ['delta', 'Δ flat', 'Current minus baseline', 0], flat, (p) => p.flat_spread),
    growth(context, ['deltashare', 'Δ flat %', RELATIVE, 3], flat),
    side(context, ['cum', 'Cum', 'Total with callees, now', 1], cum[0]),
    side(context, ['cumbase', 'Baseline cum', 'Total with callees, in the baseline', undefined], cum[1]),
    change(context, ['cumdelta', 'Δ cum', 'Total with callees, current minus baseline', 0], cum, (p) => p.cum_spread),
    moved(context, ['grown', 'Grew', 'Sum of call paths that grew, callees included', 4], ({ page, i }) => page.cum_gross[i]?.grown),
    moved(context, ['shrunk', 'Shrank', 'Sum of call paths that shrank, callees included', 4], ({ page, i }) => page.cum_gross[i]?.shrunk),
    moved(context, ['owngrown', 'Grew itself', 'What grew of the function itself', undefined], ({ page, i }) => page.flat_gross[i]?.grown),
    moved(
      context,
      ['ownshrunk', 'Shrank itself', 'What shrank of the function itself', undefined],
      ({ page, i }) => page.flat_gross[i]?.shrunk,
    ),
    growth(context, ['cumdeltashare', 'Δ cum %', RELATIVE, 8], cum),
  ];
}

const RELATIVE = 'Change relative to the baseline';

function side(context: TopContext, [key, label, hint, spare]: Named<SortKey>, of: Of): Column {
  return numeric(context, {
    ...{ key, sort: key, label, hint, spare, width: 88 },
    show: ({ page, i }) => <Value header={context.header} value={numberAt(of(page), i)} />,
  });
}

function change(
  context: TopContext,
  [key, label, hint, spare]: Named<SortKey>,
  [now, before]: readonly [Of, Of],
  samplingError: (page: TopReport) => TopReport['cum_spread'],
): Column {
  const { unit, output_unit: outputUnit } = context.header;
  return numeric(context, {
    ...{ key, sort: key, label, hint, spare, width: 96 },
    show: ({ page, i }) => (
      <Delta
        value={numberAt(now(page), i)}
        base={numberAt(before(page), i)}
        unit={unit}
        outputUnit={outputUnit}
        samplingError={samplingError(page)[i]}
      />
    ),
  });
}

function moved(context: TopContext, [key, label, hint, spare]: Named<SortKey>, of: (placed: PlacedRow) => number | undefined): Column {
  const { unit, output_unit: outputUnit } = context.header;
  return numeric(context, {
    ...{ key, sort: key, label, hint, spare, width: 96 },
    show: (placed) => <Delta value={of(placed) ?? 0} base={0} unit={unit} outputUnit={outputUnit} />,
  });
}

function growth(context: TopContext, [key, label, hint, spare]: Named<string>, [now, before]: readonly [Of, Of]): Column {
  return numeric(context, {
    ...{ key, label, hint, spare, width: 84 },
    show: ({ page, i }) => {
      const [value, base] = [numberAt(now(page), i), numberAt(before(page), i)];
      return value === base ? '' : <span class="growth">{formatGrowth(value, base)}</span>;
    },
  });
}

import type { TopReport } from '../../../api/types';
import { get } from '../../../logic/get';
import { formatGrowth } from '../../../logic/text/format';
import type { SortKey } from '../../../logic/table/order';
import type { PlacedRow } from '../../../logic/table/row-pages';
import { Delta } from '../../../ui/delta';
import type { Column } from '../../../ui/table/column';
import { Value } from '../cells';
import { numeric, type TopContext } from './numeric';

/** Numbers of a table with a baseline: current, baseline and difference. */
export function baseColumns(context: TopContext): readonly Column[] {
  const { header } = context;
  const { unit, output_unit: outputUnit } = header;
  const side = (key: SortKey, label: string, hint: string, spare: number | undefined, of: (page: TopReport) => readonly number[]) =>
    numeric(context, {
      key,
      sort: key,
      label,
      hint,
      width: 88,
      spare,
      show: ({ page, i }) => <Value header={header} value={get(of(page), i)} />,
    });
  const change = (
    key: SortKey,
    label: string,
    hint: string,
    [now, before]: readonly [(page: TopReport) => readonly number[], (page: TopReport) => readonly number[]],
    samplingError: (page: TopReport) => TopReport['cum_spread'],
  ) =>
    numeric(context, {
      key,
      sort: key,
      label,
      hint,
      width: 96,
      spare: 0,
      show: ({ page, i }) => (
        <Delta
          value={get(now(page), i)}
          base={get(before(page), i)}
          unit={unit}
          outputUnit={outputUnit}
          samplingError={samplingError(page)[i]}
        />
      ),
    });
  const moved = (key: SortKey, label: string, hint: string, spare: number | undefined, of: (placed: PlacedRow) => number) =>
    numeric(context, {
      key,
      sort: key,
      label,
      hint,
      width: 96,
      spare,
      show: (placed) => <Delta value={of(placed)} base={0} unit={unit} outputUnit={outputUnit} />,
    });
  const growth = (
    key: string,
    label: string,
    spare: number,
    now: (p: TopReport) => readonly number[],
    was: (p: TopReport) => readonly number[],
  ) =>
    numeric(context, {
      key,
      label,
      hint: 'Change relative to the baseline',
      width: 84,
      spare,
      show: ({ page, i }) => {
        const [value, base] = [get(now(page), i), get(was(page), i)];
        return value === base ? '' : <span class="growth">{formatGrowth(value, base)}</span>;
      },
    });
  return [
    side('flat', 'Flat', 'Held by the function itself, now', 2, (p) => p.flat),
    side('base', 'Baseline', 'Self, in the baseline', 2, (p) => p.flat_base),
    change('delta', 'Δ flat', 'Current minus baseline', [(p) => p.flat, (p) => p.flat_base], (p) => p.flat_spread),
    growth(
      'deltashare',
      'Δ flat %',
      3,
      (p) => p.flat,
      (p) => p.flat_base,
    ),
    side('cum', 'Cum', 'Total with callees, now', 1, (p) => p.cum),
    side('cumbase', 'Baseline cum', 'Total with callees, in the baseline', undefined, (p) => p.cum_base),
    change('cumdelta', 'Δ cum', 'Total with callees, current minus baseline', [(p) => p.cum, (p) => p.cum_base], (p) => p.cum_spread),
    moved('grown', 'Grew', 'Sum of call paths that grew, callees included', 4, ({ page, i }) => page.cum_gross[i]?.grown ?? 0),
    moved('shrunk', 'Shrank', 'Sum of call paths that shrank, callees included', 4, ({ page, i }) => page.cum_gross[i]?.shrunk ?? 0),
    moved('owngrown', 'Grew itself', 'What grew of the function itself', undefined, ({ page, i }) => page.flat_gross[i]?.grown ?? 0),
    moved('ownshrunk', 'Shrank itself', 'What shrank of the function itself', undefined, ({ page, i }) => page.flat_gross[i]?.shrunk ?? 0),
    growth(
      'cumdeltashare',
      'Δ cum %',
      8,
      (p) => p.cum,
      (p) => p.cum_base,
    ),
  ];
}

import type { TopReport } from '../../../api/types';
import { numberAt } from '../../../logic/number-at';
import { formatValue } from '../../../logic/text/format';
import type { Column } from '../../../ui/table/column';
import { numeric, type TopContext } from './numeric-column';

/** Mean lifetimes, and reads and writes of each byte; none where the profile has no such numbers. */
export function ratioColumns(context: TopContext): readonly Column[] {
  const first = context.pages.values().next().value;
  const columns = [
    {
      key: 'lifetime',
      label: 'Lifetime',
      hint: 'Mean lifetime of a block, including callees',
      of: (page: TopReport) => page.mean_lifetime,
      text: (value: number, page: TopReport) => formatValue(value, page.lifetime_unit),
    },
    {
      key: 'reads',
      label: 'Reads/B',
      hint: 'Bytes read for each allocated byte, including callees',
      of: (page: TopReport) => page.reads_per_byte,
      text: (value: number) => value.toFixed(2),
    },
    {
      key: 'writes',
      label: 'Writes/B',
      hint: 'Bytes written for each allocated byte, including callees',
      of: (page: TopReport) => page.writes_per_byte,
      text: (value: number) => value.toFixed(2),
    },
  ] as const;
  return columns
    .filter(({ of }) => first !== undefined && of(first).length > 0)
    .map(({ key, label, hint, of, text }) =>
      numeric(context, {
        key,
        sort: key,
        label,
        hint,
        width: 88,
        spare: 8,
        show: ({ page, i }) => text(numberAt(of(page), i), page),
      }),
    );
}

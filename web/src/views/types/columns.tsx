import type { Header, TypeRow, TypesReport } from '../../api/types';
import { hueOf } from '../../logic/color';
import { formatDelta, formatMean, formatPart, formatValue } from '../../logic/text/format';
import { functionOf } from '../../logic/names/names';
import { typeLabel, typePattern } from '../../logic/names/type-names';
import type { Store } from '../../state/store';
import { FunctionName } from '../../ui/function-name';
import { Swatch } from '../../ui/swatch';
import type { Column } from '../../ui/table/column';
import { TypeName } from '../../ui/type-name';
import { numberColumn, sumColumns } from '../shared/sum-columns';
import { OpenIn } from '../shared/open-in';
import { ShareBar } from '../shared/share-bar';

/** A cell that shows something of its row. */
type Cell = (show: (row: TypeRow) => ReturnType<Column['cell']>) => Column['cell'];

/** Columns of the table of types. */
export function typeColumns(store: Store, { header, row: rows }: TypesReport): readonly Column[] {
  const largest = Math.max(1, ...rows.map((row) => Math.abs(row.sum.value)));
  const cell: Cell = (show) => (at) => {
    const row = rows[at];
    return row === undefined ? '' : show(row);
  };
  const { value, share, change } = sumColumns(header, 'Memory of this type', (at) => rows[at]?.sum);
  return [
    {
      key: 'type',
      label: 'Type',
      hint: 'Container that the memory was allocated for',
      width: 220,
      grows: true,
      spare: 0,
      align: 'left',
      cell: cell((row) => <TypeName of={row} />),
    },
    {
      key: 'open',
      label: 'Open in',
      hint: 'Only the stacks of this type',
      width: 84,
      spare: 2,
      align: 'left',
      cell: cell((row) => <OpenIn store={store} patch={{ type: typePattern(row), zoom: '' }} name={typeLabel(row)} />),
    },
    value,
    {
      key: 'bar',
      label: 'Share',
      hint: 'Relative to the largest; coloured by the package of the top holder',
      width: 110,
      spare: 4,
      align: 'left',
      cell: cell(({ sum, culprit: [first] }) => (
        <ShareBar share={Math.abs(sum.value) / largest} hue={first === undefined ? '' : `hue-${hueOf(first.row)}`} />
      )),
    },
    share,
    ...change,
    ...companionColumns(header, cell),
    holderColumn(header, cell),
  ];
}

/** Columns of objects beside bytes (or bytes beside objects); none where the profile counts only one. */
function companionColumns(header: Header, cell: Cell): readonly Column[] {
  if (header.companion_type === '') return [];
  const isBytes = header.companion_unit === 'count' || header.companion_unit === '';
  return [
    numberColumn(
      'beside',
      isBytes ? 'Objects' : 'Bytes',
      header.companion_type.replaceAll('_', ' '),
      84,
      5,
      cell(({ sum }) => formatValue(sum.companion, header.companion_unit)),
    ),
    numberColumn(
      'mean',
      'Mean size',
      'Mean object size in bytes',
      88,
      6,
      cell(({ sum: { value, companion } }) =>
        isBytes ? formatMean(value, companion, header.unit) : formatMean(companion, value, header.companion_unit),
      ),
    ),
  ];
}

function holderColumn(header: Header, cell: Cell): Column {
  return {
    key: 'culprit',
    label: 'Top holder',
    hint: 'Function that most of the memory is charged to',
    width: 200,
    grows: true,
    spare: 3,
    align: 'left',
    cell: cell(({ sum, culprit, n_culprits: n }) => {
      const [first] = culprit;
      if (first === undefined) return '';
      const all = culprit.map(
        (c) => `${functionOf(c.row)}: ${formatPart(c.sum.value, sum.value) || formatDelta(c.sum.value, header.unit, header.output_unit)}`,
      );
      return (
        <span class="name-cell" title={[...all, ...(n > culprit.length ? [`${n - culprit.length} more`] : [])].join('\n')}>
          <Swatch row={first.row} />
          <FunctionName name={functionOf(first.row)} />
          {n > 1 && <span class="type-share">{formatPart(first.sum.value, sum.value)}</span>}
        </span>
      );
    }),
  };
}

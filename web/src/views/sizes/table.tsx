import { useMemo } from 'preact/hooks';
import type { SizeClass, SizesReport } from '../../api/types';
import { formatExact, formatShare, formatValue } from '../../logic/text/format';
import { displayName, functionOf } from '../../logic/names/names';
import { baseOf, classExact, classLabel, isEmpty, unitOf, valueOf, type Measure } from '../../logic/size-chart';
import { Delta } from '../../ui/delta';
import { Swatch } from '../../ui/swatch';
import type { Column } from '../../ui/table/column';
import { DataTable } from '../../ui/table/table';

interface Props {
  readonly report: SizesReport;
  readonly measure: Measure;
  readonly chosen: number;
  readonly onChoose: (i: number, how: 'go' | 'adjust') => void;
}

/** Size classes that are not empty, as rows: the chart as a table. */
export function SizeTable({ report, measure, chosen, onChoose }: Props) {
  const rows = useMemo(() => report.class.flatMap((c, i) => (isEmpty(c) ? [] : [i])), [report]);
  const columns = sizeColumns(report, (i) => report.class[rows[i] ?? -1]);
  const choose = (i: number): void => {
    onChoose(rows[i] ?? -1, 'adjust');
  };
  return (
    <DataTable
      label={`Objects by size, ${measure}`}
      columns={columns}
      n={rows.length}
      selected={rows.indexOf(chosen)}
      rowClass={(i) => (rows[i] === chosen ? 'selected' : '')}
      version={report}
      onSelect={choose}
      onOpen={choose}
      onMenu={() => undefined}
    />
  );
}

/** The size class of a row. */
type At = (i: number) => SizeClass | undefined;

function sizeColumns(report: SizesReport, at: At): readonly Column[] {
  return [
    {
      key: 'size',
      label: 'Size',
      hint: 'Object sizes of the class',
      width: 136,
      // Without the column of functions it takes the free width.
      grows: 0.001,
      spare: 0,
      align: 'right',
      cell: (i) => {
        const found = at(i);
        return found === undefined ? '' : <span title={classExact(found)}>{classLabel(found)}</span>;
      },
    },
    ...(report.bytes_type === '' ? [] : numberColumns(report, at, 'bytes', 'Bytes', report.bytes_total)),
    ...(report.objects_type === '' ? [] : numberColumns(report, at, 'objects', 'Objects', report.objects_total)),
    holderColumn(report, at),
  ];
}

/** Values of the class in bytes or objects, and the change or the share. */
function numberColumns(report: SizesReport, at: At, of: Measure, label: string, total: number): readonly Column[] {
  const { output_unit: outputUnit, has_base: hasBase } = report.header;
  return [
    {
      key: of,
      label,
      hint: `${label} in objects of this size`,
      width: 88,
      spare: 0,
      align: 'right',
      cell: (i) => {
        const value = valueOf(at(i)?.sum ?? report.unsized, of);
        return <span title={formatExact(value, unitOf(report, of))}>{formatValue(value, unitOf(report, of), outputUnit)}</span>;
      },
    },
    hasBase
      ? {
          key: `${of}-delta`,
          label: `Δ ${label.toLowerCase()}`,
          hint: 'Current minus baseline',
          width: 96,
          spare: 0,
          align: 'right',
          cell: (i) => {
            const sum = at(i)?.sum ?? report.unsized;
            return <Delta value={valueOf(sum, of)} base={baseOf(sum, of)} unit={unitOf(report, of)} outputUnit={outputUnit} />;
          },
        }
      : {
          key: `${of}-share`,
          label: '%',
          hint: 'Share of the total',
          width: 80,
          spare: 0,
          align: 'right',
          cell: (i) => formatShare(valueOf(at(i)?.sum ?? report.unsized, of), total),
        },
  ];
}

function holderColumn(report: SizesReport, at: At): Column {
  return {
    key: 'most',
    label: 'Top holder',
    hint: 'Function with the largest part of this size',
    width: 160,
    grows: true,
    spare: 1,
    align: 'left',
    cell: (i) => {
      const row = report.row[at(i)?.part[0]?.row ?? -1];
      if (row === undefined) return '';
      const name = functionOf(row);
      return (
        <span class="name-cell" title={name}>
          <Swatch row={row} />
          <bdi class="mono name">{displayName(name)}</bdi>
        </span>
      );
    },
  };
}

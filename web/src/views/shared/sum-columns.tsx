import type { Header } from '../../api/types';
import { formatShare } from '../../logic/text/format';
import type { SamplingError } from '../../logic/text/sampling-error';
import { Delta } from '../../ui/delta';
import type { Column } from '../../ui/table/column';
import { Value } from './cells';

/** Value of a row as part of the whole. */
export interface PartOfWhole {
  readonly value: number;
  readonly base: number;
  /** Sampling error; absent where it is not known. */
  readonly samplingError?: SamplingError;
}

interface SumColumns {
  readonly value: Column;
  readonly share: Column;
  /** Change from the baseline; no column without one. */
  readonly change: readonly Column[];
}

/** A column of numbers. */
export function numberColumn(key: string, label: string, hint: string, width: number, spare: number, cell: Column['cell']): Column {
  return { key, label, hint, width, spare, align: 'right', cell };
}

/** Columns of a table whose rows are parts of what is shown: memory, its share, its change. In a narrow table the change comes before the share. */
export function sumColumns(header: Header, hint: string, partOf: (at: number) => PartOfWhole | undefined): SumColumns {
  const cell =
    (show: (part: PartOfWhole) => ReturnType<Column['cell']>): Column['cell'] =>
    (at) => {
      const part = partOf(at);
      return part === undefined ? '' : show(part);
    };
  const allocated = header.value_type.startsWith('alloc');
  const { unit, output_unit: outputUnit, value_total: total, has_base: hasBase } = header;
  return {
    value: numberColumn(
      'value',
      allocated ? 'Allocated' : 'In use',
      hint,
      88,
      0,
      cell(({ value, samplingError }) => <Value header={header} value={value} samplingError={samplingError} />),
    ),
    share: numberColumn(
      'share',
      '%',
      'Share of what is shown',
      76,
      hasBase ? 1 : 0,
      cell(({ value }) => formatShare(value, total)),
    ),
    change: hasBase
      ? [
          numberColumn(
            'delta',
            'Change',
            'Difference from the baseline',
            104,
            0,
            cell(({ value, base, samplingError }) => (
              <Delta value={value} base={base} unit={unit} outputUnit={outputUnit} samplingError={samplingError} />
            )),
          ),
        ]
      : [],
  };
}

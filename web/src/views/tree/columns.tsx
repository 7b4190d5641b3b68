import type { FlameReport } from '../../api/types';
import { numberAt } from '../../logic/number-at';
import { formatGrowth, formatMean, formatShare, formatValue, plural } from '../../logic/text/format';
import { functionOf, placeOf, shortPlace } from '../../logic/names/names';
import { boxSamplingError } from '../../logic/text/sampling-error';
import { treeState, type TreeRows } from '../../logic/table/tree-rows';
import { Delta } from '../../ui/delta';
import { FunctionName } from '../../ui/function-name';
import { Swatch } from '../../ui/swatch';
import type { Column } from '../../ui/table/column';
import { Bar, Value } from '../shared/cells';

/** Columns of the tree; with a base: now, then, and the difference. */
export function treeColumns(report: FlameReport, rows: TreeRows): readonly Column[] {
  const { header } = report;
  const whole = Math.max(Math.abs(header.value_total), Math.abs(header.base_total), 1);
  const of = (column: readonly number[], row: number): number => numberAt(column, numberAt(rows.box, row));
  const number = (key: string, label: string, hint: string, width: number, spare: number, cell: Column['cell']): Column => ({
    key,
    label,
    hint,
    width,
    spare,
    align: 'right',
    cell,
  });
  const value = (key: string, label: string, hint: string, spare: number, column: readonly number[]): Column =>
    number(key, label, hint, 88, spare, (row) => <Value header={header} value={of(column, row)} />);

  const sums = header.has_base
    ? [
        value('cum', 'Current', 'Total including callees', 0, report.cum),
        value('base', 'Baseline', 'Total including callees, in the baseline', 2, report.cum_base),
        number('delta', 'Δ', 'Current minus baseline', 96, 0, (row) => (
          <Delta
            value={of(report.cum, row)}
            base={of(report.cum_base, row)}
            unit={header.unit}
            outputUnit={header.output_unit}
            samplingError={boxSamplingError(report, numberAt(rows.box, row))}
          />
        )),
        number('growth', 'Δ %', 'Change relative to the baseline', 84, 1, (row) => {
          const [now, was] = [of(report.cum, row), of(report.cum_base, row)];
          return now === was ? '' : <span class="growth">{formatGrowth(now, was)}</span>;
        }),
      ]
    : [
        value('cum', 'Cum', 'Total including callees', 0, report.cum),
        number('share', 'Cum %', 'Share of the total', 70, 0, (row) => formatShare(of(report.cum, row), header.total)),
        value(
          'flat',
          'Flat',
          report.inverted ? 'Stacks that start at this frame' : 'Allocated by the function itself on this path',
          2,
          report.flat,
        ),
      ];
  return [...sums, ...companionColumns(report, of, number), nameColumn(report, rows, whole), placeColumn(report, rows)];
}

type Of = (column: readonly number[], row: number) => number;
type MakeNumber = (key: string, label: string, hint: string, width: number, spare: number, cell: Column['cell']) => Column;

/** Objects beside bytes, or bytes beside objects. */
function companionColumns(report: FlameReport, of: Of, number: MakeNumber): readonly Column[] {
  const { companion_type: type, companion_unit: unit, unit: ownUnit } = report.header;
  if (type === '') return [];
  const isBytes = unit !== 'count';
  return [
    number('objects', isBytes ? 'Bytes' : 'Objects', `${type.replaceAll('_', ' ')}, including callees`, 84, 3, (row) =>
      formatValue(of(report.cum_companion, row), unit),
    ),
    number('mean', 'Mean size', 'Mean object size in bytes', 88, 5, (row) => {
      const [cum, beside] = [of(report.cum, row), of(report.cum_companion, row)];
      return formatMean(isBytes ? beside : cum, isBytes ? cum : beside, isBytes ? unit : ownUnit);
    }),
  ];
}

function nameColumn(report: FlameReport, rows: TreeRows, whole: number): Column {
  return {
    key: 'name',
    label: report.inverted ? 'Holders and their callers' : 'Call tree',
    hint: 'Function, coloured by package',
    width: 400,
    grows: true,
    spare: 0,
    align: 'left',
    cell: (row) => {
      const box = numberAt(rows.box, row);
      const state = treeState(report, rows, row);
      const bar = <Bar flat={Math.abs(numberAt(report.flat, box)) / whole} cum={Math.abs(numberAt(report.cum, box)) / whole} />;
      const indent = <span class="tree-indent" style={{ width: `${numberAt(rows.indent, row)}px` }} />;
      if (state === 'folded') {
        return (
          <span class="name-cell">
            {bar}
            {indent}
            <span class="twist" data-twist aria-hidden="true">
              ▸
            </span>
            <span class="muted">{plural(numberAt(report.folded, box), 'small frame')}</span>
          </span>
        );
      }
      const place = report.row[numberAt(report.node, box)];
      const name = place === undefined ? '' : functionOf(place);
      return (
        <span class="name-cell" title={name}>
          {bar}
          {indent}
          <span class={state === 'leaf' ? 'twist none' : 'twist'} data-twist aria-hidden="true">
            {state === 'open' ? '▾' : state === 'closed' ? '▸' : ''}
          </span>
          {place !== undefined && <Swatch row={place} />}
          <FunctionName name={name} />
          {numberAt(report.inlined, box) === 1 && <span class="tag">inlined</span>}
        </span>
      );
    },
  };
}

function placeColumn(report: FlameReport, rows: TreeRows): Column {
  return {
    key: 'place',
    label: 'Source',
    hint: 'File and line',
    width: 164,
    spare: 6,
    align: 'left',
    cell: (row) => {
      const place = report.row[numberAt(report.node, numberAt(rows.box, row))];
      const text = place === undefined ? '' : placeOf(place);
      return (
        <span class="mono place end" title={text}>
          <bdi>{shortPlace(text)}</bdi>
        </span>
      );
    },
  };
}

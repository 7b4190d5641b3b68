import type { ComponentChildren } from 'preact';
import type { TopReport } from '../api/types';
import { get } from '../logic/flame-layout';
import { formatExact, formatShare, formatValue } from '../logic/format';
import { displayName, placeOf, shortPlace } from '../logic/names';
import type { Order, SortKey } from '../logic/sort-rows';
import { Delta } from '../ui/delta';
import { Swatch } from '../ui/swatch';
import type { Column } from '../ui/table';

export interface TopContext {
  readonly report: TopReport;
  /** Place on the screen → row of the report. */
  readonly rows: Uint32Array;
  readonly sums: Float64Array;
  readonly functions: readonly string[];
  readonly order: Order;
  /** Largest cum, for the bars. */
  readonly largest: number;
  readonly sortedState: (key: SortKey) => 'ascending' | 'descending' | 'none';
}

function numeric(
  context: TopContext,
  key: SortKey | '',
  label: string,
  hint: string,
  width: string,
  cell: (row: number, place: number) => ComponentChildren,
): Column {
  const column = {
    key: key === '' ? label : key,
    label,
    hint,
    width,
    align: 'right' as const,
    cell: (i: number) => cell(get(context.rows, i), i),
  };
  return key === '' ? column : { ...column, sorted: context.sortedState(key) };
}

function Value({ report, value }: { readonly report: TopReport; readonly value: number }) {
  const { unit, output_unit: outputUnit } = report.header;
  return (
    <span class={value === 0 ? 'zero' : ''} title={formatExact(value, unit)}>
      {formatValue(value, unit, outputUnit)}
    </span>
  );
}

function nameColumns(context: TopContext): readonly Column[] {
  const { report, rows, functions } = context;
  return [
    {
      key: 'name',
      label: 'Name',
      hint: 'Function; its colour is that of its package',
      width: 'auto',
      align: 'left',
      sorted: context.sortedState('name'),
      cell: (i) => {
        const row = get(rows, i);
        const inlining = report.inlining[row] ?? 'none';
        const name = functions[row] ?? '';
        const [flat, cum] = [Math.abs(get(report.flat, row)), Math.abs(get(report.cum, row))];
        return (
          <span class="name-cell" title={name}>
            <Bar flat={flat / context.largest} cum={cum / context.largest} />
            <Swatch name={name} />
            <bdi class="mono name">{displayName(name)}</bdi>
            {inlining !== 'none' && <span class="tag">{inlining === 'inline' ? 'inlined' : 'partly inlined'}</span>}
          </span>
        );
      },
    },
    {
      key: 'place',
      label: 'Source',
      hint: 'File and line',
      width: '17%',
      align: 'left',
      sorted: context.sortedState('place'),
      cell: (i) => {
        const row = report.row[get(rows, i)];
        const place = row === undefined ? '' : placeOf(row);
        return (
          <bdi class="mono place" title={place}>
            {shortPlace(place)}
          </bdi>
        );
      },
    },
  ];
}

/** Dark: what the function holds itself; light: with what it calls. */
function Bar({ flat, cum }: { readonly flat: number; readonly cum: number }) {
  return (
    <span class="cell-bar" aria-hidden="true">
      <i class="cum" style={{ width: `${cum * 100}%` }} />
      <i class="flat" style={{ width: `${flat * 100}%` }} />
    </span>
  );
}

export function plainColumns(context: TopContext): readonly Column[] {
  const { report, sums } = context;
  const { total } = report.header;
  return [
    numeric(context, 'flat', 'Flat', 'Held by the function itself', '92px', (r) => <Value report={report} value={get(report.flat, r)} />),
    numeric(context, '', 'Flat %', 'Share of the total', '64px', (r) => formatShare(get(report.flat, r), total)),
    numeric(context, '', 'Sum %', 'This row and those above it', '64px', (_, i) => formatShare(get(sums, i), total)),
    numeric(context, 'cum', 'Cum', 'With all that it calls', '92px', (r) => <Value report={report} value={get(report.cum, r)} />),
    numeric(context, '', 'Cum %', 'Share of the total', '64px', (r) => formatShare(get(report.cum, r), total)),
    ...nameColumns(context),
  ];
}

export function baseColumns(context: TopContext): readonly Column[] {
  const { report } = context;
  const { unit, output_unit: outputUnit } = report.header;
  return [
    numeric(context, 'flat', 'Flat', 'Held by the function itself, now', '86px', (r) => (
      <Value report={report} value={get(report.flat, r)} />
    )),
    numeric(context, 'base', 'Base', 'Held by the function itself, in the base', '86px', (r) => (
      <Value report={report} value={get(report.flat_base, r)} />
    )),
    numeric(context, 'delta', 'Δ flat', 'Now minus base', '96px', (r) => (
      <Delta value={get(report.flat, r)} base={get(report.flat_base, r)} unit={unit} outputUnit={outputUnit} />
    )),
    numeric(context, 'cum', 'Cum', 'With all that it calls, now', '86px', (r) => <Value report={report} value={get(report.cum, r)} />),
    numeric(context, 'cumdelta', 'Δ cum', 'With all that it calls, now minus base', '96px', (r) => (
      <Delta value={get(report.cum, r)} base={get(report.cum_base, r)} unit={unit} outputUnit={outputUnit} />
    )),
    ...nameColumns(context),
  ];
}

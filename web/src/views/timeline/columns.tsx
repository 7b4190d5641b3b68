import type { GrowthReport, GrowthRow, Header } from '../../api/types';
import { formatCount, formatPercent } from '../../logic/text/format';
import { functionOf } from '../../logic/names/names';
import { kindLabel, packageLabel } from '../../logic/ownership/package';
import type { Stack } from '../../logic/timeline/bands';
import { bandClass } from '../../logic/timeline/colors';
import { onlyThis, type Marks } from '../../logic/timeline/shown-dumps';
import { changeOf, sortedAs, type GrowthKey, type GrowthOrder } from '../../logic/timeline/order';
import { axisOf, placesOf } from '../../logic/timeline/scale';
import {
  dumpNoun,
  isHarm,
  isSure,
  paceOf,
  placeWord,
  shapeHint,
  shapeWord,
  sinceOf,
  slopeHint,
  slopeText,
  stepSize,
  whenOf,
} from '../../logic/timeline/text';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';
import { FunctionName } from '../../ui/function-name';
import { Sparkline } from '../../ui/sparkline';
import type { Column } from '../../ui/table/column';
import { PackageCell, Value } from '../shared/cells';
import { OpenIn } from '../shared/open-in';

export interface GrowthTable {
  readonly store: Store;
  readonly report: GrowthReport;
  readonly stack: Stack;
  readonly marks: Marks;
  readonly order: GrowthOrder;
  /** Rows of the report, in the order of the table. */
  readonly rows: readonly number[];
}

/** Link that opens one row's memory in another view; it names a dump, since the sum of all dumps has no meaning. */
export function waysOf({ report, marks }: Pick<GrowthTable, 'report' | 'marks'>, row: GrowthRow) {
  const name = functionOf(row.row);
  const newest = report.dump.at(-1);
  const dump = marks.shown >= 0 || newest === undefined ? {} : { dump: String(newest.dump) };
  return { ...onlyThis(report.by, row.row), sel: name, ...dump };
}

/** Columns of the growth table. */
export function growthColumns(table: GrowthTable): readonly Column[] {
  const { report, stack, marks, order, rows } = table;
  const { header } = report;
  const pace = paceOf(report);
  const noun = dumpNoun(report);
  const places = placesOf(report, axisOf(report, ''));
  const rowAt = (at: number): GrowthRow | undefined => report.row[rows[at] ?? -1];
  const colors = new Map(report.row.map((row, at) => [row, bandClass(stack, at)]));
  const column = (
    key: GrowthKey,
    label: string,
    hint: string,
    width: number,
    spare: number,
    align: Column['align'],
    show: (row: GrowthRow) => ReturnType<Column['cell']>,
  ): Column => ({
    ...{ key, label, hint, width, spare, align, sorted: sortedAs(order, key) },
    cell: (at) => {
      const row = rowAt(at);
      return row === undefined ? '' : show(row);
    },
  });
  const value = (key: 'first' | 'last' | 'peak', label: string, hint: string, spare: number): Column =>
    column(key, label, hint, 84, spare, 'right', ({ trend }) => <Value header={header} value={trend[key]} />);
  const change = column('change', 'Change', `From the baseline to the current ${noun}`, 96, 0, 'right', (row) => (
    <Delta value={changeOf(row, marks)} base={0} unit={header.unit} outputUnit={header.output_unit} />
  ));
  return [
    {
      ...column('rank', '#', 'Rank: significant leaks first, by what they add; plateaus and noise last', 44, 7, 'right', () => ''),
      cell: (at) => <span class="muted">{formatCount((rows[at] ?? 0) + 1)}</span>,
    },
    {
      ...column('name', 'Name', 'Coloured like its band in the chart', 300, 0, 'left', (grown) => (
        <NameCell grown={grown} color={colors.get(grown) ?? 'rest'} />
      )),
      grows: true,
    },
    column('package', 'Package', 'Crate, library or program', 104, 6, 'left', ({ row }) => <PackageCell row={row} />),
    column('shape', 'Shape', 'How its memory changed', 204, 3, 'left', (grown) => (
      <ShapeCell grown={grown} header={header} places={places} color={colors.get(grown) ?? 'rest'} />
    )),
    value('first', 'First', `In the first ${noun}`, 8),
    value('last', 'Last', `In the last ${noun}`, 0),
    value('peak', 'Peak', `The most in any ${noun}`, 9),
    ...(marks.base >= 0 && marks.shown >= 0 ? [change] : []),
    column('slope', `Slope per ${pace.name}`, 'Growth rate with its 95% confidence interval (±)', 116, 0, 'right', (row) => (
      <span class={isSure(row.trend) ? '' : 'muted'} title={slopeHint(row.trend, header.unit, pace)}>
        {slopeText(row.trend, header.unit, pace, header.output_unit)}
      </span>
    )),
    column('share', 'Share', 'Share of all growth', 72, 2, 'right', ({ share }) => (share === 0 ? '' : formatPercent(share, 1))),
    column('since', 'Since', `Last ${noun} before it began to grow`, 84, 4, 'left', ({ trend }) => (
      <SinceCell report={report} began={trend.began ?? undefined} />
    )),
    openColumn(table, rowAt),
  ];
}

function openColumn(table: GrowthTable, rowAt: (at: number) => GrowthRow | undefined): Column {
  const { store, report } = table;
  return {
    key: 'open',
    label: 'Open',
    hint: 'Only its memory, in another view or here',
    width: 128,
    spare: 5,
    align: 'left',
    cell: (at) => {
      const row = rowAt(at);
      if (row === undefined) return '';
      const name = functionOf(row.row);
      return (
        <OpenIn store={store} patch={waysOf(table, row)} name={name}>
          <a tabIndex={-1} href={store.href(onlyThis(report.by, row.row), 'timeline')} aria-label={`Only ${name} in the timeline`}>
            Only
          </a>
        </OpenIn>
      );
    },
  };
}

function NameCell({ grown: { row, stack: frames }, color }: { readonly grown: GrowthRow; readonly color: string }) {
  const name = functionOf(row);
  const what = frames.length > 0 ? frames.join('\n← ') : `${name}\n${packageLabel(row)}, ${kindLabel(row.kind)}`;
  return (
    <span class="name-cell" title={what}>
      <span class={`swatch ${color}`} aria-hidden="true" />
      <FunctionName name={name} />
    </span>
  );
}

interface ShapeProps {
  readonly grown: GrowthRow;
  readonly header: Header;
  readonly places: readonly number[];
  readonly color: string;
}

function ShapeCell({ grown: { trend, value, expected }, header, places, color }: ShapeProps) {
  const isExpected = expected?.is_exceeded === false;
  return (
    <span class="shape-cell" title={expected?.text ?? shapeHint(trend)}>
      <Sparkline values={value} places={places} hue={color} />
      <span class={isHarm(trend) && !isExpected ? 'shape harm' : 'shape'}>
        {shapeWord(trend)}
        {stepSize(trend, header.unit, header.output_unit)}
        {isExpected ? ', expected' : ''}
      </span>
    </span>
  );
}

function SinceCell({ report, began }: { readonly report: GrowthReport; readonly began: number | undefined }) {
  if (began === undefined) return null;
  return (
    <span class="place" title={`${placeWord(report, began)}, ${whenOf(report, began)}`}>
      {sinceOf(report, began)}
    </span>
  );
}

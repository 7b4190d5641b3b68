import type { Row, SizeClass, SizesReport } from '../../api/types';
import { formatExact, formatPercent, formatValue, plural } from '../../logic/text/format';
import { displayName, functionOf } from '../../logic/names/names';
import { hitClass, matchesRow } from '../../logic/names/pattern';
import { baseOf, classExact, classLabel, unitOf, valueOf, type Measure } from '../../logic/size-chart';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';
import { Swatch } from '../../ui/swatch';
import { useSearchCount } from '../shared/use-search-count';

interface Props {
  readonly store: Store;
  readonly report: SizesReport;
  readonly measure: Measure;
  readonly of: SizeClass;
  /** Filters by these sizes; undefined where no filter can express them. */
  readonly onOnly: (() => void) | undefined;
}

/** Functions with objects of a size: the largest, and the sum of all others. */
export function SizeFunctions({ store, report, measure, of, onOnly }: Props) {
  const { output_unit: outputUnit } = report.header;
  const unit = unitOf(report, measure);
  const whole = valueOf(of.sum, measure);
  const listed = of.part.flatMap(({ row }) => report.row[row] ?? []);
  useSearchCount(store, { count: (p) => listed.filter((row) => matchesRow(p, row)).length, of: listed.length, noun: 'function' }, of);
  return (
    <section class="size-functions" aria-label="Functions behind this size">
      <div class="size-head">
        <h2 title={classExact(of)}>{classLabel(of)}</h2>
        {onOnly !== undefined && (
          <button type="button" data-only={of.high} onClick={onOnly} title={`Only objects of ${classExact(of)}, in every view`}>
            Only these sizes
          </button>
        )}
      </div>
      <ul>
        {of.part.map(({ row: index, sum }) => {
          const row = report.row[index];
          return row === undefined ? null : (
            <SizeRow key={index} store={store} report={report} measure={measure} row={row} sum={sum} whole={whole} />
          );
        })}
        {of.n_rest > 0 && (
          <li class="size-row muted">
            <span class="swatch rest" aria-hidden="true" />
            <span class="size-name">{plural(of.n_rest, 'more function')}</span>
            <span>{formatValue(valueOf(of.rest, measure), unit, outputUnit)}</span>
            <span>{formatPercent(valueOf(of.rest, measure), whole)}</span>
          </li>
        )}
      </ul>
    </section>
  );
}

interface RowProps extends Pick<Props, 'store' | 'report' | 'measure'> {
  readonly row: Row;
  readonly sum: SizeClass['sum'];
  /** Value of all functions. */
  readonly whole: number;
}

function SizeRow({ store, report, measure, row, sum, whole }: RowProps) {
  const { output_unit: outputUnit, has_base: hasBase } = report.header;
  const unit = unitOf(report, measure);
  const name = functionOf(row);
  return (
    <li class={hitClass(store.search.value, row)}>
      <button
        type="button"
        class={store.selected.value === name ? 'size-row on' : 'size-row'}
        title={name}
        onClick={() => {
          store.select(row);
        }}
        onDblClick={() => {
          store.act('callers', row);
        }}
        onContextMenu={(e) => {
          e.preventDefault();
          store.select(row);
          store.openMenu(row, e.clientX, e.clientY);
        }}
      >
        <Swatch row={row} />
        <bdi class="mono size-name">{displayName(name)}</bdi>
        <span title={formatExact(valueOf(sum, measure), unit)}>{formatValue(valueOf(sum, measure), unit, outputUnit)}</span>
        {hasBase ? (
          <Delta value={valueOf(sum, measure)} base={baseOf(sum, measure)} unit={unit} outputUnit={outputUnit} />
        ) : (
          <span class="muted">{formatPercent(valueOf(sum, measure), whole)}</span>
        )}
      </button>
    </li>
  );
}

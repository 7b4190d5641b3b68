import { useMemo } from 'preact/hooks';
import type { Header, Row, SummaryReport } from '../../api/types';
import { hueOf, PLAIN } from '../../logic/color';
import { formatExact, formatMean, formatValue, plural } from '../../logic/text/format';
import { functionOf, NO_ROW } from '../../logic/names/names';
import { kindLabel, packageLabel } from '../../logic/ownership/package';
import { blamePatch, hitClass } from '../../logic/names/pattern';
import { revealPatch } from '../../logic/url/show-level';
import { bandClasses } from '../../logic/timeline/colors';
import type { Patch } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';
import { FunctionName } from '../../ui/function-name';
import type { Column } from '../../ui/table/column';
import { DataTable } from '../../ui/table/table';
import { numberColumn, sumColumns } from '../shared/sum-columns';
import { OpenIn } from '../shared/open-in';
import { ShareBar } from '../shared/share-bar';
import { wholeHeight } from './table';
import { MainType } from '../../ui/type-name';

interface Props {
  readonly store: Store;
  readonly report: SummaryReport;
}

/** The largest culprits, each with links to other views. */
export function SummaryCulprits({ store, report }: Props) {
  const { culprit, header, n_culprits: all } = report;
  const { report: series, loading } = store.growing;
  const colors = useMemo(
    () => (series.value !== undefined ? bandClasses(series.value) : loading.value ? new Map<string, string>() : undefined),
    [series.value, loading.value],
  );
  const columns = useMemo(() => columnsOf(store, report, colors), [report, colors]);
  const selected = culprit.findIndex((c) => functionOf(c.row) === store.selected.value);
  const rest = report.rest;
  return (
    <section class="summary-part" aria-labelledby="who-holds">
      <div class="summary-head">
        <h2 id="who-holds">{header.has_base ? 'Largest changes' : 'Top memory holders'}</h2>
        <span class="hint" title="To the innermost library function where no code of yours is on the stack">
          charged to your innermost function on each stack
        </span>
      </div>
      <div class="summary-table" style={wholeHeight(culprit.length)}>
        <DataTable
          label="Top memory holders; f opens the flame graph, t the table"
          columns={columns}
          n={culprit.length}
          selected={selected}
          version={columns}
          rowClass={(at) => `${at === selected ? 'selected' : ''} ${hitClass(store.search.value, culprit[at]?.row ?? NO_ROW)}`}
          onSelect={(at) => {
            store.select(culprit[at]?.row);
          }}
          onOpen={(at) => {
            const row = culprit[at]?.row;
            if (row !== undefined) store.act('callers', row);
          }}
          onKey={(key, at) => {
            const row = culprit[at]?.row;
            if (row === undefined || (key !== 'f' && key !== 't')) return false;
            store.go({ ...openPatch(store, row), zoom: '' }, key === 'f' ? 'flame' : 'top');
            return true;
          }}
          onMenu={(at, x, y) => {
            store.openMenu(culprit[at]?.row, x, y);
          }}
        />
      </div>
      {all > culprit.length && (
        <p class="summary-rest">
          <span>{plural(all - culprit.length, 'other function')}</span>
          <span title={formatExact(rest.value - rest.base, header.unit)}>
            {header.has_base ? (
              <Delta value={rest.value} base={rest.base} unit={header.unit} outputUnit={header.output_unit} />
            ) : (
              formatValue(rest.value, header.unit, header.output_unit)
            )}
          </span>
        </p>
      )}
      <Charged store={store} wrappers={header.wrappers} />
    </section>
  );
}

/** Number of wrappers listed by name. */
const SHOWN = 5;

/** Allocation wrappers whose callers are charged; a click on one charges it again. */
function Charged({ store, wrappers }: { readonly store: Store; readonly wrappers: readonly string[] }) {
  if (wrappers.length === 0) return null;
  const more = wrappers.length - SHOWN;
  return (
    <p class="summary-charged" title={wrappers.join('\n')}>
      Charged to callers, as allocation wrappers:{' '}
      {wrappers.slice(0, SHOWN).map((name, i) => (
        <>
          {i > 0 && ', '}
          <button
            type="button"
            class="link mono"
            title={`Not an allocation wrapper: charge ${name}, not its callers`}
            onClick={() => {
              store.changeRules({ function: name, to: 'own' });
            }}
          >
            {name}
          </button>
        </>
      ))}
      {more > 0 && ` and ${more} more`}
    </p>
  );
}

/** Parameters that select the stacks charged to a function, and show the function if its kind is folded. */
function openPatch(store: Store, row: Row): Patch {
  const name = functionOf(row);
  return { ...revealPatch(store.url.value, row.kind), ...blamePatch(name), sel: name };
}

/** `colors`: in a series, those of the bands above, so that a function has one colour on the page. */
function columnsOf(store: Store, report: SummaryReport, colors: ReadonlyMap<string, string> | undefined): readonly Column[] {
  const { culprit, header } = report;
  // Rows of files or packages have no band.
  const hasBands = colors !== undefined && (colors.size === 0 || culprit.some(({ row }) => colors.has(functionOf(row))));
  const hue = (row: Row): string => (hasBands ? (colors.get(functionOf(row)) ?? `hue-${PLAIN}`) : `hue-${hueOf(row)}`);
  const largest = Math.max(1, ...culprit.map((c) => Math.abs(c.sum.value)));
  const { value, share, change } = sumColumns(header, 'Memory charged to the function', (at) => {
    const of = culprit[at];
    return of === undefined ? undefined : { ...of.sum, samplingError: of.spread };
  });
  return [
    {
      key: 'name',
      label: 'Function',
      hint: hasBands ? 'Coloured like its band in the chart of all dumps; grey without one' : 'Coloured by package',
      width: 270,
      grows: true,
      spare: 0,
      align: 'left',
      cell: (at) => {
        const row = culprit[at]?.row;
        if (row === undefined) return '';
        return <NameCell row={row} hue={hue(row)} />;
      },
    },
    {
      key: 'open',
      label: 'Open in',
      hint: 'Only the stacks charged to the function',
      width: 84,
      spare: 2,
      align: 'left',
      cell: (at) => {
        const row = culprit[at]?.row;
        return row === undefined ? '' : <OpenIn store={store} patch={{ ...openPatch(store, row), zoom: '' }} name={functionOf(row)} />;
      },
    },
    value,
    {
      key: 'bar',
      label: 'Share',
      hint: 'Relative to the largest in the list',
      width: 84,
      spare: 3,
      align: 'left',
      cell: (at) => {
        const c = culprit[at];
        return c === undefined ? '' : <ShareBar share={Math.abs(c.sum.value) / largest} hue={hue(c.row)} />;
      },
    },
    ...(culprit.some((c) => c.type.name !== '') ? [typeColumn(header, culprit)] : []),
    share,
    ...change,
    ...companionColumns(header, culprit),
  ];
}

function NameCell({ row, hue }: { readonly row: Row; readonly hue: string }) {
  const name = functionOf(row);
  return (
    <span class="name-cell" title={`${name}\n${packageLabel(row)}, ${kindLabel(row.kind)}`}>
      <span class={`swatch ${hue}`} aria-hidden="true" />
      <FunctionName name={name} />
    </span>
  );
}

/** Columns of objects beside bytes (or bytes beside objects); none where the profile counts only one. */
function companionColumns(header: Header, culprit: SummaryReport['culprit']): readonly Column[] {
  if (header.companion_type === '') return [];
  const isBytes = header.companion_unit === 'count' || header.companion_unit === '';
  return [
    numberColumn('beside', isBytes ? 'Objects' : 'Bytes', header.companion_type.replaceAll('_', ' '), 76, 5, (at) =>
      formatValue(culprit[at]?.sum.companion ?? 0, header.companion_unit),
    ),
    numberColumn('mean', 'Mean size', 'Mean object size in bytes', 88, 6, (at) => {
      const { value = 0, companion = 0 } = culprit[at]?.sum ?? {};
      return isBytes ? formatMean(value, companion, header.unit) : formatMean(companion, value, header.companion_unit);
    }),
  ];
}

/** Main container type of each function; left out if no type is known. */
function typeColumn({ unit, output_unit: outputUnit }: Header, culprit: SummaryReport['culprit']): Column {
  return {
    key: 'type',
    label: 'Type',
    hint: 'Container type that most of the memory belongs to, and its share',
    width: 138,
    spare: 1,
    align: 'left',
    cell: (at) => {
      const c = culprit[at];
      return c === undefined ? '' : <MainType type={c.type} whole={c.sum.value - c.sum.base} unit={unit} outputUnit={outputUnit} />;
    },
  };
}

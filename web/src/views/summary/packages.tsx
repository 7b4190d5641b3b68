import { useMemo } from 'preact/hooks';
import type { SummaryReport } from '../../api/types';
import { hueOfPackage } from '../../logic/color';
import { formatExact, formatPercent, formatValue, plural } from '../../logic/text/format';
import { kindLabel, packageLabel } from '../../logic/ownership/package';
import { exactly } from '../../logic/names/pattern';
import type { Store } from '../../state/store';
import type { Column } from '../../ui/table/column';
import { sumColumns } from '../shared/sum-columns';
import { SummaryTable } from './table';

interface Props {
  readonly store: Store;
  readonly report: SummaryReport;
}

/** Memory by package: one stacked bar, and a row for each package. */
export function SummaryPackages({ store, report }: Props) {
  const { header, package: packages } = report;
  const pattern = store.search.value;
  const columns = useMemo(() => columnsOf(report), [report]);
  const open = (at: number): void => {
    const of = packages[at];
    if (of !== undefined && of.package !== '') store.go({ package: exactly(of.package), zoom: '' });
  };
  const whole = Math.max(
    1,
    packages.reduce((sum, p) => sum + Math.abs(p.sum.value), Math.abs(report.package_rest.value)),
  );
  const others = report.n_packages - packages.length;
  return (
    <section class="summary-part" aria-labelledby="by-package">
      <div class="summary-head">
        <h2 id="by-package">By package</h2>
        <span class="hint" title="A stack is charged to the package of its responsible function">
          click to filter
        </span>
      </div>
      <div class="stack-bar" aria-hidden="true">
        {packages.map((p) => (
          <i
            key={`${p.package} ${p.version}`}
            class={`hue-${hueOfPackage(p.package, p.kind)}`}
            style={{ width: `${(Math.abs(p.sum.value) / whole) * 100}%` }}
            title={`${packageLabel(p)}: ${formatValue(p.sum.value, header.unit)}, ${formatPercent(p.sum.value, header.value_total)}`}
          />
        ))}
      </div>
      <SummaryTable
        label="Memory by package"
        columns={columns}
        n={packages.length}
        rowClass={(at) => (pattern.kind === 'ok' && pattern.test(packages[at]?.package ?? '') ? 'hit' : '')}
        onOpen={open}
      />
      {others > 0 && (
        <p class="summary-rest">
          <span>{plural(others, 'other package')}</span>
          <span title={formatExact(report.package_rest.value, header.unit)}>
            {formatValue(report.package_rest.value, header.unit, header.output_unit)}
          </span>
        </p>
      )}
    </section>
  );
}

function columnsOf(report: SummaryReport): readonly Column[] {
  const { header, package: packages } = report;
  const { value, share, change } = sumColumns(header, 'Memory charged to functions of the package', (at) => {
    const of = packages[at];
    return of === undefined ? undefined : { ...of.sum, samplingError: of.spread };
  });
  return [
    {
      key: 'package',
      label: 'Package',
      hint: 'Crate, module, library or program',
      width: 120,
      grows: true,
      spare: 0,
      align: 'left',
      cell: (at) => {
        const p = packages[at];
        if (p === undefined) return '';
        return (
          <span class="name-cell" title={`${packageLabel(p)}, ${kindLabel(p.kind)}: ${plural(p.n_culprits, 'function')}`}>
            <span class={`swatch hue-${hueOfPackage(p.package, p.kind)}`} aria-hidden="true" />
            <bdi class="name">{p.package === '' ? '(unknown)' : p.package}</bdi>
            {p.version !== '' && <span class="version">{p.version}</span>}
          </span>
        );
      },
    },
    {
      key: 'kind',
      label: 'Kind',
      hint: 'Ownership of the code',
      width: 108,
      spare: 3,
      align: 'left',
      cell: (at) => <span class="place">{kindLabel(packages[at]?.kind ?? 'unknown')}</span>,
    },
    value,
    share,
    ...change,
  ];
}

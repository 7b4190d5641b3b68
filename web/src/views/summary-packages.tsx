import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { SummaryReport } from '../api/types';
import { hueOfPackage } from '../logic/color';
import { formatExact, formatPercent, formatShare, formatValue, plural } from '../logic/format';
import { kindLabel, packageLabel } from '../logic/package';
import { exactly } from '../logic/pattern';
import type { Store } from '../state/store';
import { Delta } from '../ui/delta';
import { DataTable, ROW_HEIGHT, type Column } from '../ui/table';

interface Props {
  readonly store: Store;
  readonly report: SummaryReport;
}

const HEAD = 32;

/** Whose code holds the memory: a bar of all of it, and a line for each package. */
export function SummaryPackages({ store, report }: Props) {
  const { header, package: packages } = report;
  const cursor = useSignal(-1);
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
      <div class="summary-table" style={{ height: `${packages.length * ROW_HEIGHT + HEAD}px` }}>
        <DataTable
          label="Memory by package"
          columns={columns}
          n={packages.length}
          selected={cursor.value}
          version={columns}
          rowClass={(at) => {
            const hit = pattern.kind === 'ok' && pattern.test(packages[at]?.package ?? '') ? 'hit' : '';
            return at === cursor.value ? `selected ${hit}` : hit;
          }}
          onSelect={(at) => {
            cursor.value = at;
          }}
          onPick={(at) => {
            cursor.value = at;
            open(at);
          }}
          onOpen={open}
          onMenu={open}
        />
      </div>
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
  const columns: Column[] = [
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
      width: 96,
      spare: 3,
      align: 'left',
      cell: (at) => <span class="place">{kindLabel(packages[at]?.kind ?? 'unknown').split(',')[0]}</span>,
    },
    {
      key: 'value',
      label: header.value_type.startsWith('alloc') ? 'Allocated' : 'In use',
      hint: 'Memory charged to functions of the package',
      width: 88,
      spare: 0,
      align: 'right',
      cell: (at) => {
        const value = packages[at]?.sum.value ?? 0;
        return <span title={formatExact(value, header.unit)}>{formatValue(value, header.unit, header.output_unit)}</span>;
      },
    },
    {
      key: 'share',
      label: '%',
      hint: 'Share of what is shown',
      width: 80,
      spare: 0,
      align: 'right',
      cell: (at) => formatShare(packages[at]?.sum.value ?? 0, header.value_total),
    },
  ];
  if (header.has_base)
    columns.push({
      key: 'delta',
      label: 'Change',
      hint: 'Difference from the baseline',
      width: 104,
      spare: 0,
      align: 'right',
      cell: (at) => {
        const { sum, spread } = packages[at] ?? {};
        return sum === undefined ? (
          ''
        ) : (
          <Delta value={sum.value} base={sum.base} unit={header.unit} outputUnit={header.output_unit} sure={spread} />
        );
      },
    });
  return columns;
}

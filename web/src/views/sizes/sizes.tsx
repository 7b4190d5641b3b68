import { useMemo } from 'preact/hooks';
import type { SizesReport } from '../../api/types';
import { toggleFacet } from '../../logic/labels/label-filters';
import { formatValue } from '../../logic/text/format';
import { scopeOf } from '../../logic/recording';
import { barsOf, classRange, heaviest, largestOf, measureOf, scaleOf, unitOf, valueOf, type Measure } from '../../logic/size-chart';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { ProblemBox } from '../../ui/problem';
import { Segmented } from '../../ui/select';
import { SizeChart } from './chart';
import { SizeFunctions } from './functions';
import { SizeTable } from './table';

interface Props {
  readonly store: Store;
  readonly report: SizesReport;
}

const SCALES = [
  { value: '', label: 'Linear' },
  { value: 't', label: 'Log' },
];

/** Objects by size: a bar for each class, the functions behind the chosen one, and the same data as a table. */
export function SizesView({ store, report }: Props) {
  const url = store.url.value;
  const measure = measureOf(report);
  const log = param(url, 'log') === 't';
  const drawn = useMemo(() => {
    const scale = scaleOf(largestOf(report, measure), measure, log);
    return { scale, bars: barsOf(report, measure, scale) };
  }, [report, measure, log]);
  if (report.from === 'nothing' || report.class.length === 0)
    return (
      <ProblemBox
        kind="empty"
        title="This profile has no object sizes"
        message="Sizes come from the “bytes” label that gperftools, jemalloc and Go write, or from bytes and objects of each stack. This view has neither."
        hint="Try another value type."
      />
    );
  const requested = report.class.findIndex(({ high }) => String(high) === param(url, 'size'));
  const chosen = requested < 0 ? heaviest(report, measure) : requested;
  const pick = (i: number, how: 'go' | 'adjust'): void => {
    store[how]({ size: String(report.class[i]?.high ?? '') });
  };
  const only = report.class[chosen];
  return (
    <div class="sizes">
      <SizesBar store={store} report={report} measure={measure} log={log} />
      <SizeChart
        report={report}
        measure={measure}
        bars={drawn.bars}
        scale={drawn.scale}
        chosen={chosen}
        onChoose={pick}
        onOpen={(element) => {
          element.ownerDocument.querySelector<HTMLElement>('.size-functions button')?.focus();
        }}
      />
      <div class="sizes-below">
        <SizeTable report={report} measure={measure} chosen={chosen} onChoose={pick} />
        {only !== undefined && (
          <SizeFunctions
            store={store}
            report={report}
            measure={measure}
            of={only}
            onOnly={
              report.from === 'label'
                ? () => {
                    store.go({ tf: toggleFacet(param(url, 'tf'), 'and', { key: 'bytes', range: classRange(only) }), zoom: '' });
                  }
                : undefined
            }
          />
        )}
      </div>
    </div>
  );
}

interface BarProps extends Props {
  readonly measure: Measure;
  readonly log: boolean;
}

function SizesBar({ store, report, measure, log }: BarProps) {
  const types = [
    { value: report.bytes_type, label: 'Bytes' },
    { value: report.objects_type, label: 'Objects' },
  ].filter(({ value }) => value !== '');
  const unknown = valueOf(report.unsized, measure);
  return (
    <div class="view-bar">
      {types.length > 1 && (
        <Segmented
          name="measure"
          label="What bars show"
          value={types.find(({ value }) => value === param(store.url.value, 'si'))?.value ?? report.header.value_type}
          options={types}
          onChange={(v) => {
            store.go({ si: v === store.meta.value?.default_value_type ? '' : v });
          }}
        />
      )}
      <Segmented
        name="log"
        label="Scale of bars"
        value={log ? 't' : ''}
        options={SCALES}
        onChange={(v) => {
          store.go({ log: v });
        }}
      />
      <span class="hint">
        {report.from === 'label' && scopeOf(store.url.value, store.meta.value) !== 'dumps'
          ? 'Sizes as requested'
          : report.from === 'label'
            ? 'Object sizes from the “bytes” label (mean per stack)'
            : 'Object sizes are the mean of each stack: bytes / objects'}
        {unknown !== 0 && ` · ${formatValue(unknown, unitOf(report, measure), report.header.output_unit)} of unknown size`}
      </span>
    </div>
  );
}

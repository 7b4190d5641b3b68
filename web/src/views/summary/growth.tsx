import { isOfMoments } from '../../logic/recording';
import { formatElapsed } from '../../logic/text/elapsed';
import { useMemo, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { GrowthReport } from '../../api/types';
import { formatExact, formatPercent, formatValue, plural } from '../../logic/text/format';
import { growingRows, growthNotes, isShort } from '../../logic/timeline/summary-growth';
import { functionOf } from '../../logic/names/names';
import { hitClass } from '../../logic/names/pattern';
import { chooseBands, stackOf } from '../../logic/timeline/bands';
import { bandClasses } from '../../logic/timeline/colors';
import { frameOf } from '../../logic/timeline/chart-geometry';
import { axisOf, placesOf } from '../../logic/timeline/scale';
import {
  dumpNoun,
  isHarm,
  isSure,
  lengthBetween,
  paceOf,
  shapeHint,
  shapeWord,
  slopeHint,
  slopeText,
  stepSize,
} from '../../logic/timeline/text';
import type { Store } from '../../state/store';
import { FunctionName } from '../../ui/function-name';
import { Sparkline } from '../../ui/sparkline';
import { TimelineAreas } from '../shared/stacked-areas';
import { useSize } from '../../ui/use-size';

interface Props {
  readonly store: Store;
}

/** The largest growth in a series, with links to it. Its space is kept while the answer loads. */
export function SummaryGrowth({ store }: Props) {
  const report = store.growing.report.value;
  if (report === undefined && !store.growing.loading.value) return null;
  return (
    <section class="summary-part summary-growth" aria-labelledby="what-grows">
      <div class="summary-head">
        <h2 id="what-grows">What grows</h2>
        {report !== undefined && (
          <span class="hint">
            {plural(report.dump.length, dumpNoun(report))}
            {report.axis === 's' &&
              ` in ${isOfMoments(report) ? formatElapsed(report.dump.at(-1)?.at ?? 0) : lengthBetween(report, 0, report.dump.length - 1)}`}
          </span>
        )}
        <a class="summary-more" href={store.href({}, 'timeline')}>
          Timeline
        </a>
      </div>
      {report === undefined ? <div class="summary-growth-room" /> : <Growing store={store} report={report} />}
    </section>
  );
}

function Growing({ store, report }: Props & { readonly report: GrowthReport }) {
  const rows = growingRows(report);
  const { header, total } = report;
  const pace = paceOf(report);
  const places = placesOf(report, axisOf(report, ''));
  const colors = useMemo(() => bandClasses(report), [report]);
  const value = (v: number) => formatValue(v, header.unit, header.output_unit);
  return (
    <div class="summary-growth-room">
      <Picture store={store} report={report} />
      <ul class={isShort(report) ? 'growing short' : 'growing'}>
        {rows.length > 0 && (
          <li class="growing-row growing-head" aria-hidden="true">
            <span class="fn-name">Function</span>
            <span>Now</span>
            <span title={isShort(report) ? 'From the first to the last' : 'Growth rate with its 95% confidence interval (±)'}>
              {isShort(report) ? 'Growth' : `Growth per ${pace.name}`}
            </span>
            <span title="Share of all growth">Of growth</span>
          </li>
        )}
        {rows.length === 0 && (
          <li class="growing-none">
            {isShort(report) ? 'No function grew' : 'No steady growth detected'}: {value(total.first)} → <b>{value(total.last)}</b>
            {shapeWord(total) === '' ? '' : `, ${shapeWord(total)}`}
          </li>
        )}
        {rows.map(({ row, trend, value: values, share }) => (
          <li key={functionOf(row)} class={hitClass(store.search.value, row)}>
            <a
              class="growing-row"
              href={store.href({ sel: functionOf(row) }, 'timeline')}
              title={`${functionOf(row)}: ${shapeHint(trend)}`}
            >
              <span class={`swatch ${colors.get(functionOf(row)) ?? 'rest'}`} aria-hidden="true" />
              <FunctionName name={functionOf(row)} />
              <Sparkline values={values} places={places} hue={colors.get(functionOf(row)) ?? 'rest'} />
              <span title={formatExact(trend.last, header.unit)}>{value(trend.last)}</span>
              {isShort(report) ? (
                <span title="From the first dump to the last">+{value(trend.last - trend.first)}</span>
              ) : trend.shape === 'step' ? (
                <span title={shapeHint(trend)}>step{stepSize(trend, header.unit, header.output_unit)}</span>
              ) : (
                <span class={isHarm(trend) ? 'up' : isSure(trend) ? '' : 'muted'} title={slopeHint(trend, header.unit, pace)}>
                  {slopeText(trend, header.unit, pace, header.output_unit)}
                </span>
              )}
              <span title="Share of all growth">{formatPercent(share, 1)}</span>
            </a>
          </li>
        ))}
        {growthNotes(report, value).map((note) => (
          <li key={note} class="growing-note">
            {note}
          </li>
        ))}
      </ul>
    </div>
  );
}

const FIRST = { width: 420, height: 140 };

/** Small timeline; a click opens the Timeline. */
function Picture({ store, report }: Props & { readonly report: GrowthReport }) {
  const box = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(box, FIRST).value;
  const hovered = useSignal(-1);
  const stack = useMemo(() => stackOf(report, chooseBands(report)), [report]);
  const frame = useMemo(() => frameOf(report, stack, axisOf(report, ''), width, height), [report, stack, width, height]);
  return (
    <div class="growing-picture" ref={box}>
      <TimelineAreas report={report} stack={stack} frame={frame} lit={stack.bands.map(() => true)} hovered={hovered} />
      <a class="growing-cover" href={store.href({}, 'timeline')} aria-label="Timeline" />
    </div>
  );
}

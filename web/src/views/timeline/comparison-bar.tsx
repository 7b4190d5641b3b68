import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GrowthReport } from '../../api/types';
import { formatValue } from '../../logic/text/format';
import { nCounted } from '../../logic/timeline/summary-growth';
import { compare, type Marks } from '../../logic/timeline/shown-dumps';
import { pairOf, patchOf } from '../../logic/dumps';
import { isOfMoments, timeExamples, timesOf, timesPatch, wholePair } from '../../logic/recording';
import { dumpNoun, lengthBetween, placeWord, sinceOf, whenOf } from '../../logic/timeline/text';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';
import { MouseOrTouch } from '../../ui/mouse-or-touch';
import type { Reach } from './overlay';

interface Props {
  readonly store: Store;
  readonly report: GrowthReport;
  readonly marks: Marks;
  readonly reach: ReadonlySignal<Reach | undefined>;
}

/** The current dump and the baseline; while a range is dragged, the dumps that it would compare. */
export function ComparisonBar({ store, report, marks, reach }: Props) {
  const base = report.dump[marks.base];
  const now = reach.value;
  if (now?.times !== undefined) return <TimeRange times={now.times} />;
  if (now !== undefined && now.from !== now.at) return <Range report={report} from={now.from} to={now.at} />;
  return (
    <div class="timeline-marks" role="group" aria-label={`Current ${dumpNoun(report)} and baseline`}>
      <Facts report={report} marks={marks} times={timesOf(store.url.value)} />
      <span class="gap" />
      {isOfMoments(report) && <TimeField store={store} axis={report.axis} />}
      {base !== undefined && (
        <span class="timeline-see muted">
          View in{' '}
          <a href={store.href({ zoom: '' }, 'flame')} data-see="flame">
            Flame graph
          </a>{' '}
          <a href={store.href({}, 'top')} data-see="top">
            Top
          </a>
        </span>
      )}
      {base !== undefined && (
        <button
          type="button"
          name="stop-comparing"
          onClick={() => {
            store.go({ base: '', diff_base: '', zoom: '' });
          }}
        >
          Clear comparison
        </button>
      )}
      {marks.named && isOfMoments(report) && <WholeRecording store={store} />}
      {marks.named && !isOfMoments(report) && (
        <button
          type="button"
          name="newest"
          title="Follow the latest dump again"
          onClick={() => {
            store.go({ dump: '', base: '', diff_base: '', zoom: '' });
          }}
        >
          Latest dump
        </button>
      )}
      {base === undefined && (
        <button
          type="button"
          name="compare-all"
          onClick={() => {
            store.go(compare(report, store.url.value, 0, nCounted(report) - 1));
          }}
        >
          {isOfMoments(report) ? 'Compare start and end' : 'Compare first and last'}
        </button>
      )}
    </div>
  );
}

/** Field for a time between the moments of the chart, or for two. */
function TimeField({ store, axis }: Pick<Props, 'store'> & { readonly axis: string }) {
  const [one, two] = timeExamples(axis);
  const given = timesOf(store.url.value);
  const text = useSignal(given);
  useEffect(() => {
    text.value = given;
  }, [given]);
  return (
    <label
      class="timeline-ask"
      title={`Show the memory in use at any time, such as ${one}, or what changed between two: ${two}, ${two.replace(/-.*/, ' to peak')}`}
    >
      time
      <input
        type="text"
        name="time"
        placeholder={`${one} or ${two}`}
        value={text.value}
        aria-label="Time, or two times"
        spellcheck={false}
        onInput={(e) => {
          text.value = e.currentTarget.value;
        }}
        onKeyDown={(e) => {
          if (e.key === 'Enter') store.go(timesPatch(text.value, store.url.value, store.meta.value?.dumps ?? []));
          else if (e.key === 'Escape') text.value = given;
          else return;
          e.stopPropagation();
        }}
      />
    </label>
  );
}

/** Leads from a moment back to the whole recording. */
function WholeRecording({ store }: Pick<Props, 'store'>) {
  return (
    <button
      type="button"
      name="whole-recording"
      onClick={() => {
        const url = store.url.value;
        store.go(patchOf(url, wholePair(pairOf(url), store.meta.value?.dumps ?? [])));
      }}
    >
      Whole recording
    </button>
  );
}

/** The current dump and its baseline, as text. */
function Facts({ report, marks, times }: Pick<Props, 'report' | 'marks'> & { readonly times: string }) {
  const [shown, base] = [report.dump[marks.shown], report.dump[marks.base]];
  const { unit, output_unit: outputUnit } = report.header;
  const noun = dumpNoun(report);
  if (times !== '')
    return (
      <span class="timeline-facts" data-marks>
        {times.includes(' to ') ? 'Changed from' : 'Shown at'} <b>{times}</b>
      </span>
    );
  if (noun === 'moment' && shown !== undefined) return <MomentFacts report={report} marks={marks} />;
  return (
    <span class="timeline-facts" data-marks>
      {shown === undefined ? (
        <span class="muted">
          <MouseOrTouch
            mouse={
              noun === 'moment'
                ? 'Whole recording. Click to show the memory in use at that time in every view; drag to see what changed in between.'
                : 'Click a dump to show it in every view; drag from one to another to compare them.'
            }
            touch={`Tap a ${noun} to show it in every view.`}
          />
        </span>
      ) : base === undefined ? (
        <>
          <b title={shown.name}>{sentence(placeWord(report, marks.shown))}</b>
          {!marks.named && ' (latest)'}
          <span class="muted">
            {' '}
            · {whenOf(report, marks.shown)} · {formatValue(shown.total, unit, outputUnit)}
          </span>
        </>
      ) : (
        <>
          <b title={shown.name}>{sentence(placeWord(report, marks.shown))}</b> compared with{' '}
          <b title={base.name}>{sinceOf(report, marks.base)}</b>:{' '}
          <Delta value={shown.total} base={base.total} unit={unit} outputUnit={outputUnit} />{' '}
          <span class="muted">in {lengthBetween(report, Math.min(marks.base, marks.shown), Math.max(marks.base, marks.shown))}</span>
        </>
      )}
    </span>
  );
}

/** The shown moment, or what changed between two. */
function MomentFacts({ report, marks }: Pick<Props, 'report' | 'marks'>) {
  const [shown, base] = [report.dump[marks.shown], report.dump[marks.base]];
  const { unit, output_unit: outputUnit } = report.header;
  const total = formatValue(shown?.total ?? 0, unit, outputUnit);
  return (
    <span class="timeline-facts" data-marks>
      {base === undefined ? (
        <>
          At <b>{whenOf(report, marks.shown)}</b> of {whenOf(report, report.dump.length - 1).replace(/ \(.*/, '')}: {total}{' '}
          <span class="muted">· {placeWord(report, marks.shown)}</span>
        </>
      ) : (
        <>
          From <b>{whenOf(report, marks.base)}</b> to <b>{whenOf(report, marks.shown)}</b>:{' '}
          <Delta value={shown?.total ?? 0} base={base.total} unit={unit} outputUnit={outputUnit} />{' '}
          <span class="muted">in {lengthBetween(report, Math.min(marks.base, marks.shown), Math.max(marks.base, marks.shown))}</span>
        </>
      )}
    </span>
  );
}

/** The range that is being dragged, from or to a time that is no dump. */
function TimeRange({ times: [from, to] }: { readonly times: readonly [string, string] }) {
  return (
    <div class="timeline-marks" role="status">
      <span class="timeline-facts" data-range>
        Release to see what changed from <b>{from}</b> to <b>{to}</b> <span class="muted">· Esc cancels</span>
      </span>
    </div>
  );
}

/** The range that is being dragged. */
function Range({ report, from, to }: { readonly report: GrowthReport; readonly from: number; readonly to: number }) {
  const { unit, output_unit: outputUnit } = report.header;
  const [early, late] = [Math.min(from, to), Math.max(from, to)];
  return (
    <div class="timeline-marks" role="status">
      <span class="timeline-facts" data-range>
        {isOfMoments(report) ? (
          <>
            Release to see what changed from <b>{whenOf(report, early)}</b> to <b>{whenOf(report, late)}</b>:{' '}
          </>
        ) : (
          <>
            Release to compare <b>{placeWord(report, late)}</b> with <b>{sinceOf(report, early)}</b>:{' '}
          </>
        )}
        <Delta value={report.dump[late]?.total ?? 0} base={report.dump[early]?.total ?? 0} unit={unit} outputUnit={outputUnit} />{' '}
        <span class="muted">in {lengthBetween(report, early, late)} · Esc cancels</span>
      </span>
    </div>
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

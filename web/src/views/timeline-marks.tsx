import type { GrowthReport } from '../api/types';
import { formatValue } from '../logic/format';
import { nCounted } from '../logic/growing';
import { compare, type Marks } from '../logic/timeline-moves';
import { lengthBetween, placeWord, sinceOf, whenOf } from '../logic/timeline-words';
import type { Store } from '../state/store';
import { Delta } from '../ui/delta';

interface Props {
  readonly store: Store;
  readonly report: GrowthReport;
  readonly marks: Marks;
}

/** Which dump every view shows now, since which one, and the ways back. */
export function TimelineMarks({ store, report, marks }: Props) {
  const [shown, base] = [report.dump[marks.shown], report.dump[marks.base]];
  const { unit, output_unit: outputUnit } = report.header;
  const n = report.dump.length;
  return (
    <div class="timeline-marks" role="group" aria-label="Shown and compared">
      <span class="timeline-told" data-marks>
        {shown === undefined ? (
          <span class="muted">Click a dump to show it in every view, drag from one to another to compare them.</span>
        ) : base === undefined ? (
          <>
            <b title={shown.name}>{placeWord(marks.shown, n)}</b> is shown{!marks.named && ', the newest one'}
            <span class="muted">
              {' '}
              · {whenOf(report, marks.shown)} · {formatValue(shown.total, unit, outputUnit)}
            </span>
          </>
        ) : (
          <>
            <b title={shown.name}>{placeWord(marks.shown, n)}</b> since <b title={base.name}>{sinceOf(report, marks.base)}</b>:{' '}
            <Delta value={shown.total} base={base.total} unit={unit} outputUnit={outputUnit} />{' '}
            <span class="muted">in {lengthBetween(report, Math.min(marks.base, marks.shown), Math.max(marks.base, marks.shown))}</span>
          </>
        )}
      </span>
      <span class="gap" />
      {base !== undefined && (
        <span class="timeline-see muted">
          see it in{' '}
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
          Stop comparing
        </button>
      )}
      {marks.named && (
        <button
          type="button"
          name="newest"
          title="Back to what is shown when no dump is chosen"
          onClick={() => {
            store.go({ dump: '', base: '', diff_base: '', zoom: '' });
          }}
        >
          Newest dump
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
          Compare first and last
        </button>
      )}
    </div>
  );
}

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { GrowthReport } from '../../api/types';
import { formatValue } from '../../logic/text/format';
import type { Axis } from '../../logic/timeline/scale';
import { formatSlope, isLimit, isSure, limitSentence, paceOf, shapeHint, shapeWord, slopeHint } from '../../logic/timeline/text';
import { COURSE_TYPES, courseOf, isOfMoments, type Course } from '../../logic/recording';
import { formatOnAxis } from '../../logic/text/elapsed';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Segmented, Select } from '../../ui/select';

interface Props {
  readonly store: Store;
  readonly report: GrowthReport;
  readonly axis: Axis;
}

/** Groupings of areas and rows; the first is the server's default. */
const BY = ['culprits', 'packages', 'functions', 'lines', 'files', 'modules', 'types', 'stacks'].map((value) => ({
  value,
  label: value === 'culprits' ? 'responsible functions' : value,
}));

const AXES = [
  { value: '', label: 'Time' },
  { value: 'dumps', label: 'Dumps' },
];

/** Grouping, axis and process; how the total grows, and a limit with its forecast. */
export function TimelineBar({ store, report, axis }: Props) {
  const until = limitSentence(report);
  return (
    <div class="view-bar timeline-bar">
      <Select
        name="by"
        label="Group by"
        caption="by"
        value={report.by || 'culprits'}
        options={BY}
        onChange={(v) => {
          store.go({ by: v === 'culprits' ? '' : v, rank: '' });
        }}
      />
      {isOfMoments(report) && <Courses store={store} report={report} />}
      {report.axis === 's' && !isOfMoments(report) && (
        <Segmented
          name="axis"
          label="Axis"
          value={axis === 'dumps' ? 'dumps' : ''}
          options={AXES}
          onChange={(v) => {
            store.go({ axis: v });
          }}
        />
      )}
      {report.all_series.length > 1 && (
        <Select
          name="series"
          label="Process"
          caption="process"
          value={report.series}
          options={report.all_series.map((value) => ({ value, label: value || '(unknown)' }))}
          onChange={(v) => {
            // The address may name dumps of the former process.
            store.go({ series: v, dump: '', base: '', diff_base: '', zoom: '' });
          }}
        />
      )}
      {isOfMoments(report) ? <WholeCourse report={report} /> : <Whole report={report} />}
      {until !== '' && (
        <span class="timeline-until" title={`${until}. Counts heap memory only: the process uses more.`} data-until>
          {until}
        </span>
      )}
      <span class="gap" />
      <Limit store={store} report={report} />
    </div>
  );
}

const COURSES: readonly { readonly value: Course; readonly label: string }[] = [
  { value: 'live', label: 'In use' },
  { value: 'allocations', label: 'Allocations' },
  { value: 'temporary', label: 'Temporary' },
];

/** What a recording is drawn by: memory in use, or allocations so far. */
function Courses({ store, report }: Pick<Props, 'store' | 'report'>) {
  const kinds = store.meta.value?.value_types.map(({ kind }) => kind) ?? [];
  // Beside dumps of an allocator a recording has only what they have, too.
  const courses = COURSES.filter(({ value }) => COURSE_TYPES[value] === '' || kinds.includes(COURSE_TYPES[value]));
  if (courses.length < 2) return null;
  return (
    <Segmented
      name="course"
      label="Chart"
      value={courseOf(report.header.value_type)}
      options={courses}
      onChange={(v) => {
        const course = COURSES.find(({ value }) => value === v)?.value ?? 'live';
        store.go({ si: COURSE_TYPES[course] });
      }}
    />
  );
}

/** The peak and the end of a recording, or all allocations with their rate. */
function WholeCourse({ report }: Pick<Props, 'report'>) {
  const { dump, header } = report;
  const value = (v: number) => formatValue(v, header.unit, header.output_unit);
  const end = dump.at(-1);
  const peak = dump.find(({ moment }) => moment?.is_peak === true);
  if (end === undefined) return null;
  if (courseOf(header.value_type) !== 'live' || peak === undefined)
    return (
      <span class="timeline-whole">
        <span>
          <b>{value(end.total)}</b> in {formatOnAxis(end.at, report.axis)}
        </span>
        {end.at > 0 && report.axis === 's' && <span class="muted">{value(Math.round(end.total / end.at))}/s</span>}
      </span>
    );
  return (
    <span class="timeline-whole">
      <span>
        <b>{value(peak.total)}</b> at the peak, {formatOnAxis(peak.at, report.axis)}
      </span>
      <span class="muted">
        {value(end.total)} {end.moment?.is_end === true ? 'at the end, ' : 'at '}
        {formatOnAxis(end.at, report.axis)}
      </span>
    </span>
  );
}

/** The total from the first dump to the last. */
function Whole({ report }: Pick<Props, 'report'>) {
  const { total, header } = report;
  const pace = paceOf(report);
  const value = (v: number) => formatValue(v, header.unit, header.output_unit);
  return (
    <span class="timeline-whole">
      <span title="Total of the first and of the last dump">
        {value(total.first)} → <b>{value(total.last)}</b>
      </span>
      <span class={isSure(total) ? '' : 'muted'} title={slopeHint(total, header.unit, pace)} data-total-slope>
        {formatSlope(total, header.unit, pace, header.output_unit)}
      </span>
      <span class="muted" title={shapeHint(total)}>
        {shapeWord(total)}
      </span>
    </span>
  );
}

/** Field for a memory limit, which growth is forecast to reach; reports text that is not a size. */
function Limit({ store, report }: Pick<Props, 'store' | 'report'>) {
  const given = param(store.url.value, 'limit');
  const text = useSignal(given);
  const bad = useSignal(false);
  useEffect(() => {
    text.value = given;
    bad.value = false;
  }, [given]);
  const set = (): void => {
    const wanted = text.value.trim();
    bad.value = wanted !== '' && !isLimit(wanted);
    if (!bad.value && wanted !== given) store.go({ limit: wanted });
  };
  const example = report.header.unit === 'bytes' ? '8 GiB' : '1000000';
  return (
    <label class={bad.value ? 'timeline-ask bad' : 'timeline-ask'} title="Memory limit: when is it reached at this rate?">
      limit
      <input
        type="text"
        name="limit"
        size={7}
        placeholder={example}
        value={text.value}
        aria-label="Limit"
        aria-invalid={bad.value}
        spellcheck={false}
        onInput={(e) => {
          text.value = e.currentTarget.value;
          bad.value = false;
        }}
        onBlur={set}
        onKeyDown={(e) => {
          if (e.key === 'Enter') set();
          else if (e.key === 'Escape') text.value = given;
          else return;
          e.stopPropagation();
        }}
      />
      {bad.value && (
        <span role="alert" class="alarm">
          for example {example}
        </span>
      )}
    </label>
  );
}

import type { RunReport, SummaryReport } from '../../api/types';
import { shownMoment, shownRun } from '../../logic/recording';
import { formatClock } from '../../logic/text/elapsed';
import { formatCount, formatPercent, formatValue, plural } from '../../logic/text/format';
import type { Store } from '../../state/store';
import { RecordingTables } from './recording-tables';

interface Props {
  readonly store: Store;
  readonly report: SummaryReport;
}

/** Notes below the totals of a whole recording: value type → when, how many, how fast. */
export function runNotes(run: RunReport): Readonly<Record<string, string>> {
  const share = formatPercent(run.temporary, run.allocations);
  const perSecond = run.allocations_per_second;
  const at = formatClock(run.peak_at, run.clock);
  return {
    peak_space: `after ${at}`,
    mapped_space: `at the peak, ${at}`,
    total_space: `at the peak, ${at}`,
    inuse_space: run.shows_peak
      ? `at the peak, ${at}`
      : run.suppressed_bytes > 0
        ? `incl. ${formatValue(run.suppressed_bytes, 'bytes')} suppressed`
        : 'in use at the end',
    alloc_objects: perSecond > 0 ? `${formatCount(Math.round(perSecond))} per second` : '',
    temp_objects: `${run.is_temporary_exact ? '' : '≤ '}${share} of all`,
  };
}

/** How a recording was made, and its totals. */
export function RecordingFacts({ store }: Pick<Props, 'store'>) {
  const url = store.url.value;
  const meta = store.meta.value;
  const run = shownRun(url, meta);
  if (run === undefined) return null;
  return (
    <section class="summary-part recording" aria-labelledby="recording">
      <div class="summary-head">
        <h2 id="recording">Recording</h2>
        <span class="hint">
          {run.recorder}
          {run.mode !== '' && ` (mode ${run.mode})`}, {formatClock(run.duration, run.clock)}
          {run.is_attached && ', attached to the running process: older blocks are unknown'}
        </span>
      </div>
      <dl class="recording-facts">
        {run.command !== '' && <Fact name="Command" value={run.command} isCode />}
        {run.pid !== 0 && <Fact name="Process" value={String(run.pid)} />}
        {run.has_states && (
          <Fact
            name="Peak"
            value={`${formatValue(run.peak_bytes, 'bytes')} in use${run.peak_at > 0 ? ` after ${formatClock(run.peak_at, run.clock)}` : ''}`}
          />
        )}
        {run.peak_rss > 0 && (
          <Fact
            name="Peak RSS"
            value={`${formatValue(run.peak_rss, 'bytes')}${run.system_memory > 0 ? ` of ${formatValue(run.system_memory, 'bytes')}` : ''}${run.is_rss_of_program ? '' : ' (recorder included)'}`}
          />
        )}
        {countsBlocks(run) && <Fact name="Allocations" value={allocationsOf(run)} />}
        {countsBlocks(run) && run.has_temporary && <Fact name="Temporary" value={temporaryOf(run)} />}
        {run.has_states && (
          <Fact
            name={countsBlocks(run) ? 'Leaked' : 'End'}
            value={`${formatValue(run.end_bytes, 'bytes')}${countsBlocks(run) ? ` in ${plural(run.end_objects, 'block')}` : ''} in use at the end${run.suppressed_bytes > 0 ? `; ${formatValue(run.suppressed_bytes, 'bytes')} more suppressed` : ''}`}
          />
        )}
      </dl>
    </section>
  );
}

/** What the whole recording says of its blocks: pools, zones, lifetimes, reallocations. Nothing for a moment or a difference. */
export function RecordingBlocks({ store, report }: Props) {
  const url = store.url.value;
  const meta = store.meta.value;
  const run = shownRun(url, meta);
  if (run === undefined || shownMoment(url, meta) !== undefined || report.header.has_base) return null;
  return <RecordingTables store={store} run={report.run?.find(({ name }) => name === run.name) ?? run} />;
}

/** Some recorders count no blocks. */
function countsBlocks(run: RunReport): boolean {
  return run.has_states && (run.allocations > 0 || run.peak_bytes === 0);
}

function allocationsOf(run: RunReport): string {
  const rate = run.allocations_per_second > 0 ? `, ${formatCount(Math.round(run.allocations_per_second))} per second` : '';
  return `${formatCount(run.allocations)}${rate}`;
}

function temporaryOf(run: RunReport): string {
  const seconds = run.clock === 'time' ? run.duration / 1e9 : 0;
  const rate = seconds > 0 ? `, ${formatCount(Math.round(run.temporary / seconds))} per second` : '';
  const most = run.is_temporary_exact ? '' : 'at most ';
  return `${most}${formatCount(run.temporary)} (${formatPercent(run.temporary, run.allocations)} of allocations)${rate}`;
}

function Fact({ name, value, isCode = false }: { readonly name: string; readonly value: string; readonly isCode?: boolean }) {
  return (
    <div class="recording-fact">
      <dt>{name}</dt>
      <dd class={isCode ? 'mono' : ''} title={isCode ? value : undefined}>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

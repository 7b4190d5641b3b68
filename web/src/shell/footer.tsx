import type { Header } from '../api/types';
import { isHarmless } from '../logic/doctor';
import { formatCount, formatExact, formatPercent, formatTime, formatValue, plural } from '../logic/text/format';
import { isOfMoments } from '../logic/recording';
import { param } from '../logic/url/view-url';
import type { Store } from '../state/store';
import { Icon } from '../ui/icons';
import { Doctor } from './doctor';

interface Props {
  readonly store: Store;
}

/** Totals, state of symbolization, and warnings. */
export function Footer({ store }: Props) {
  const meta = store.meta.value;
  const report = store.main.report.value;
  const header = report?.header;
  const made = formatTime(store.browser.made);
  const messages = [...new Set([...(meta?.warnings ?? []), ...(header?.warnings ?? [])])];
  const isNote = (text: string): boolean => isHarmless(text, meta?.symbols.modules ?? []);
  const [notes, warnings] = [messages.filter(isNote), messages.filter((text) => !isNote(text))];
  return (
    <footer class="footer">
      {report?.kind === 'growth' && (
        <span class="footer-total">
          <b>{formatValue(report.total.last, report.header.unit, report.header.output_unit)}</b>{' '}
          {isOfMoments(report)
            ? `${report.dump.at(-1)?.moment?.is_end === true ? 'at the end of the recording' : 'at the last moment with stacks'}, ${plural(report.dump.length, 'moment')} kept`
            : `in the latest of ${plural(report.dump.length, 'dump')}`}
        </span>
      )}
      {header !== undefined && report?.kind !== 'growth' && <Total header={header} />}
      {header !== undefined && header.period > 0 && <Sampled header={header} />}
      {meta !== undefined && (
        <span class="footer-stacks" title="All stacks in the profile; filters do not change this number">
          {plural(meta.n_stacks, 'stack')} in the profile
        </span>
      )}
      {header !== undefined && header.dropped_nodes > 0 && <Hidden store={store} header={header} />}
      <Symbols store={store} />
      {warnings.length > 0 && <Warnings texts={warnings} noun="warning" />}
      {notes.length > 0 && <Warnings texts={notes} noun="note" />}
      <span class="gap" />
      {meta !== undefined && (
        <span class="footer-version">
          {store.browser.kind === 'report' && `report file${made === '' ? '' : ` made ${made}`} by `}heapview {meta.version}
        </span>
      )}
    </footer>
  );
}

interface HeaderProps {
  readonly header: Header;
}

/** The shown value: of the total, or beside the baseline's. */
function Total({ header }: HeaderProps) {
  const { unit, output_unit: outputUnit, value_total: shown, total, value_note: note = '' } = header;
  return (
    <span class="footer-total" title={`${formatExact(shown, unit)} of ${formatExact(total, unit)}`}>
      <b>{formatValue(shown, unit, outputUnit)}</b>
      <span class="footer-rest">
        {header.has_base
          ? ` now, ${formatValue(header.base_total, unit, outputUnit)} in the baseline${note === '' ? '' : `; ${note}`}`
          : ` of ${formatValue(total, unit, outputUnit)} shown (${formatPercent(shown, total)})${note === '' ? '' : `, ${note}`}`}
      </span>
    </span>
  );
}

function Sampled({ header }: HeaderProps) {
  return (
    <span class="footer-sampled" title="Sampled profiles give estimates: ± in tooltips is one standard error">
      sampled every {formatValue(header.period, 'bytes')}
      {header.within_noise > 0 && (
        <>; {formatValue(header.within_noise, header.unit, header.output_unit)} of changes are within the sampling error</>
      )}
    </span>
  );
}

/** Number of trimmed frames, and a button that shows them. */
function Hidden({ store, header }: Props & HeaderProps) {
  return (
    <span class="footer-hidden">
      {plural(header.dropped_nodes, 'frame')} under {formatValue(header.node_cutoff, header.unit, header.output_unit)} hidden
      {param(store.url.value, 'nf') !== '0' && (
        <>
          {' · '}
          <button
            type="button"
            class="link"
            onClick={() => {
              store.go(store.url.value.view === 'graph' ? { nf: '0', ef: '0' } : { nf: '0', ef: '0', n: '0' });
            }}
          >
            Show
          </button>
        </>
      )}
    </span>
  );
}

function Symbols({ store }: Props) {
  const meta = store.meta.value;
  if (meta === undefined) return null;
  const { state, done, total, file, fetching } = meta.symbols;
  if (state === 'working') {
    return (
      <span class="symbols" role="status">
        <progress max={Math.max(1, total)} value={done} aria-label="Resolving names" />
        resolving names{total > 0 && `: ${formatCount(done)} of ${plural(total, 'address', 'addresses')}`}
        {total > 0 && file !== '' && (
          <>
            {' '}
            in <bdi>{file}</bdi>
          </>
        )}
        {fetching !== '' && (
          <>
            , <bdi>{fetching}</bdi>
          </>
        )}
      </span>
    );
  }
  return <Doctor meta={meta} />;
}

function Warnings({ texts, noun }: { readonly texts: readonly string[]; readonly noun: 'warning' | 'note' }) {
  return (
    <details class={noun === 'note' ? 'warnings notes' : 'warnings'}>
      <summary>
        {noun === 'warning' && <Icon name="warning" />}
        {plural(texts.length, noun)}
      </summary>
      <ul>
        {texts.map((w) => (
          <li key={w}>
            <bdi>{w}</bdi>
          </li>
        ))}
      </ul>
    </details>
  );
}

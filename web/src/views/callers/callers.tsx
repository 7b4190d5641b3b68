import type { AnyReport } from '../../api/guards';
import type { Header, PeekEntry, PeekReport } from '../../api/types';
import { formatCount, formatExact, formatGrowth, formatMean, formatPercent, formatValue } from '../../logic/text/format';
import { functionOf, displayName, placeOf } from '../../logic/names/names';
import { matchesRow, peekName, readable } from '../../logic/names/pattern';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { BreakableText } from '../../ui/breakable-text';
import { Delta } from '../../ui/delta';
import { ProblemBox } from '../../ui/problem';
import { Swatch } from '../../ui/swatch';
import { CallersLinks } from './links';
import { FunctionPicker } from '../shared/functions/picker';
import { useSearchCount } from '../shared/use-search-count';

interface Props {
  readonly store: Store;
  readonly report: AnyReport;
}

/** One function in the middle, callers above, callees below; without one, a list to choose from. */
export function CallersView({ store, report }: Props) {
  if (report.kind === 'top')
    return <FunctionPicker store={store} report={report} title="Pick a function to see its callers and callees" action="callers" />;
  return report.kind === 'peek' ? <Peek store={store} report={report} /> : null;
}

function Peek({ store, report }: { readonly store: Store; readonly report: PeekReport }) {
  const wanted = param(store.url.value, 'peek');
  const selected = store.selected.value;
  const entry = report.entry.find((e) => functionOf(e.row) === peekName(selected)) ?? report.entry[0];
  if (entry === undefined) {
    return (
      <ProblemBox
        kind="empty"
        title="No function matches"
        message={readable(wanted)}
        hint="It may be folded, filtered out, or without memory of this value type."
      >
        <button
          type="button"
          class="primary"
          onClick={() => {
            store.go({ peek: '' });
          }}
        >
          Choose another
        </button>
      </ProblemBox>
    );
  }
  const { header } = report;
  return (
    <div class="callers">
      <Marked store={store} entry={entry} />
      <CallersBar store={store} report={report} entry={entry} />
      <div class="callers-body" onKeyDown={walkByKeys(store)}>
        <CallersLinks
          store={store}
          header={header}
          title="Callers"
          links={entry.callers}
          whole={entry.cum}
          none="No callers: stacks start here."
        />
        <Middle store={store} header={header} entry={entry} />
        <CallersLinks
          store={store}
          header={header}
          title="Callees"
          links={entry.callees}
          whole={entry.cum}
          none="No callees with memory."
        />
      </div>
    </div>
  );
}

interface BarProps {
  readonly store: Store;
  readonly report: PeekReport;
  readonly entry: PeekEntry;
}

function CallersBar({ store, report, entry }: BarProps) {
  return (
    <div class="view-bar">
      <button
        type="button"
        onClick={() => {
          store.go({ peek: '' });
        }}
      >
        All functions
      </button>
      {report.entry.length > 1 && (
        <label class="pair">
          {formatCount(report.entry.length)} functions match:
          <select
            class="pick"
            aria-label="Function"
            value={functionOf(entry.row)}
            onChange={(e) => {
              store.go({ sel: e.currentTarget.value });
            }}
          >
            {report.entry.map((e) => (
              <option key={e.row.name} value={functionOf(e.row)}>
                {displayName(functionOf(e.row)).slice(0, 120)}
              </option>
            ))}
          </select>
        </label>
      )}
      {entry.recursive && <span>Recursive: each stack counts once; calls to itself are not listed.</span>}
      <span class="hint">↑ ↓ Enter: navigate · Backspace: back · percentages are relative to the selected function</span>
    </div>
  );
}

/** Counts matches of the search among callers and callees. */
function Marked({ store, entry }: { readonly store: Store; readonly entry: PeekEntry }) {
  const links = [...entry.callers, ...entry.callees];
  useSearchCount(store, { count: (p) => links.filter((l) => matchesRow(p, l.row)).length, of: links.length, noun: 'function' }, entry);
  return null;
}

function Middle({ store, header, entry }: { readonly store: Store; readonly header: Header; readonly entry: PeekEntry }) {
  const { unit, output_unit: outputUnit } = header;
  const isBytes = header.companion_unit !== 'count';
  const value = (label: string, now: number, base: number) => (
    <span class="middle-value" title={formatExact(now, unit)}>
      <small>{label}</small>
      <b>{formatValue(now, unit, outputUnit)}</b>
      <small>{formatPercent(now, header.value_total)}</small>
      {header.has_base && (
        <small>
          <Delta value={now} base={base} unit={unit} outputUnit={outputUnit} /> {now === base ? '' : formatGrowth(now, base)}
        </small>
      )}
    </span>
  );
  return (
    <div
      class="middle"
      data-middle={functionOf(entry.row)}
      onContextMenu={(e) => {
        e.preventDefault();
        store.openMenu(entry.row, e.clientX, e.clientY);
      }}
    >
      <div class="middle-name">
        <h2 class="mono">
          <Swatch row={entry.row} />
          <BreakableText text={functionOf(entry.row)} />
        </h2>
        <span class="muted mono">
          <bdi>{placeOf(entry.row)}</bdi>
        </span>
      </div>
      {value('self', entry.flat, entry.flat_base)}
      {value('total', entry.cum, entry.cum_base)}
      {header.companion_type !== '' && (
        <span class="middle-value" title={formatExact(entry.cum_companion, header.companion_unit)}>
          <small>{isBytes ? 'bytes' : 'objects'}</small>
          <b>{formatValue(entry.cum_companion, header.companion_unit)}</b>
          <small>
            {isBytes ? formatMean(entry.cum_companion, entry.cum, header.companion_unit) : formatMean(entry.cum, entry.cum_companion, unit)}{' '}
            each
          </small>
        </span>
      )}
    </div>
  );
}

/** Arrows go from row to row over both lists; Backspace is the browser's way back. */
function walkByKeys(store: Store): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.currentTarget instanceof HTMLElement)) return;
    const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button.walk')];
    const at = buttons.findIndex((b) => b === b.ownerDocument.activeElement);
    const moves: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 };
    const to = moves[event.key];
    if (event.key === 'Backspace') store.browser.back();
    else if (to !== undefined) buttons[Math.max(0, Math.min(buttons.length - 1, to))]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

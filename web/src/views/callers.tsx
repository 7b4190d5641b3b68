import type { AnyReport } from '../api/guards';
import type { Header, PeekEntry, PeekLink, PeekReport, Row } from '../api/types';
import { formatCount, formatExact, formatPercent, formatValue } from '../logic/format';
import { functionOf, displayName, placeOf } from '../logic/names';
import { matchesRow, peekName, peekPattern, readable, type Pattern } from '../logic/pattern';
import { param } from '../logic/view-url';
import type { Store } from '../state/store';
import { Delta } from '../ui/delta';
import { ProblemBox } from '../ui/problem';
import { Swatch } from '../ui/swatch';
import { CallersPicker } from './callers-picker';

interface Props {
  readonly store: Store;
  readonly report: AnyReport;
}

/** One function in the middle, callers above, callees below; without one, a list to choose from. */
export function CallersView({ store, report }: Props) {
  if (report.kind === 'top') return <CallersPicker store={store} report={report} />;
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
        hint="It may be filtered out, or not hold memory of this type."
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
        <span class="hint">shares are of the function in the middle</span>
      </div>
      <div class="callers-body">
        <LinkTable
          store={store}
          header={header}
          title="Callers"
          links={entry.callers}
          whole={entry.cum}
          none="Nothing calls it: stacks begin here."
        />
        <Middle store={store} header={header} entry={entry} />
        <LinkTable
          store={store}
          header={header}
          title="Callees"
          links={entry.callees}
          whole={entry.cum}
          none="It calls nothing that holds memory."
        />
      </div>
    </div>
  );
}

function Middle({ store, header, entry }: { readonly store: Store; readonly header: Header; readonly entry: PeekEntry }) {
  const { unit, output_unit: outputUnit } = header;
  const value = (label: string, now: number, base: number) => (
    <span class="middle-value" title={formatExact(now, unit)}>
      <small>{label}</small>
      <b>{formatValue(now, unit, outputUnit)}</b>
      <small>{formatPercent(now, header.value_total)}</small>
      {header.has_base && <Delta value={now} base={base} unit={unit} outputUnit={outputUnit} />}
    </span>
  );
  return (
    <div
      class="middle"
      data-middle={functionOf(entry.row)}
      onContextMenu={(e) => {
        e.preventDefault();
        store.menu.value = { row: entry.row, x: e.clientX, y: e.clientY };
      }}
    >
      <div class="middle-name">
        <h2 class="mono">
          <Swatch name={functionOf(entry.row)} />
          <bdi>{functionOf(entry.row)}</bdi>
        </h2>
        <span class="muted mono">
          <bdi>{placeOf(entry.row)}</bdi>
        </span>
      </div>
      {value('itself', entry.flat, entry.flat_base)}
      {value('with callees', entry.cum, entry.cum_base)}
    </div>
  );
}

interface LinkTableProps {
  readonly store: Store;
  readonly header: Header;
  readonly title: string;
  readonly links: readonly PeekLink[];
  readonly whole: number;
  readonly none: string;
}

function LinkTable({ store, header, title, links, whole, none }: LinkTableProps) {
  const { unit, output_unit: outputUnit } = header;
  const pattern = store.search.value;
  const open = (row: Row): void => {
    store.go({ peek: peekPattern(functionOf(row)), sel: functionOf(row) });
  };
  return (
    <section class="link-table">
      <h3>
        {title} <small>{formatCount(links.length)}</small>
      </h3>
      {links.length === 0 && <p class="muted">{none}</p>}
      <ul>
        {links.map((link) => {
          const name = functionOf(link.row);
          const share = whole === 0 ? 0 : Math.min(1, Math.abs(link.value / whole));
          return (
            <li key={link.row.name} class={matchClass(pattern, link.row)}>
              <button
                type="button"
                class="walk"
                title={`${name}\n${formatExact(link.value, unit)}`}
                data-walk={name}
                onClick={() => {
                  open(link.row);
                }}
                onContextMenu={(e) => {
                  e.preventDefault();
                  store.menu.value = { row: link.row, x: e.clientX, y: e.clientY };
                }}
              >
                <span class="walk-value">{formatValue(link.value, unit, outputUnit)}</span>
                {header.has_base && (
                  <span class="walk-delta">
                    <Delta value={link.value} base={link.base} unit={unit} outputUnit={outputUnit} />
                  </span>
                )}
                <span class="walk-share">{formatPercent(link.value, whole)}</span>
                <span class="track" aria-hidden="true">
                  <i style={{ width: `${share * 100}%` }} />
                </span>
                <Swatch name={name} />
                <bdi class="mono walk-name">{displayName(name)}</bdi>
                {link.inlined && <span class="tag">inlined</span>}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function matchClass(pattern: Pattern, row: Row): string {
  if (pattern.kind !== 'ok') return '';
  return matchesRow(pattern, row) ? 'hit' : 'miss';
}

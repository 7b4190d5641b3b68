import type { PeekEntry } from '../../api/types';
import { formatExact, formatGrowth, formatMean, formatPercent, formatValue } from '../../logic/text/format';
import { functionOf, placeOf } from '../../logic/names/names';
import { peekName } from '../../logic/names/pattern';
import { numberWithError } from '../../logic/text/sampling-error';
import { typePattern } from '../../logic/names/type-names';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';
import { Breakable } from '../../ui/breakable';
import { Icon } from '../../ui/icons';
import { Swatch } from '../../ui/swatch';
import { MainType } from '../../ui/type-name';
import { DetailsLinks } from './links';
import { NotShown } from './not-shown';
import { PackageFact } from './package';
import { About, HidePanel } from './about';
import { SourceSnippet } from './source';

interface Props {
  readonly store: Store;
}

/** The server's answer when no function matches. */
const NOT_FOUND = 404;

/** The selected function: facts, values, callers and callees. */
export function Details({ store }: Props) {
  const selected = store.selected.value;
  if (selected === '') return <About store={store} />;
  const entries = store.details.report.value?.entry ?? [];
  const entry = entries.find((e) => functionOf(e.row) === peekName(selected));
  const wrong = store.details.problem.value;
  return (
    <aside class="details" id="details" aria-label="Selected function">
      <div class="details-head">
        <h2 class="mono" data-selected>
          {entry !== undefined && <Swatch row={entry.row} />}
          <Breakable text={selected} />
        </h2>
        <HidePanel store={store} />
        <button
          type="button"
          class="quiet"
          aria-label="Clear selection"
          title="Clear selection (Esc)"
          onClick={() => {
            store.select(undefined);
          }}
        >
          <Icon name="close" />
        </button>
      </div>
      {wrong !== undefined && wrong.status !== NOT_FOUND && <p class="muted">{wrong.message}</p>}
      {entry === undefined && (wrong === undefined ? store.details.report.value !== undefined : wrong.status === NOT_FOUND) && (
        <NotShown store={store} />
      )}
      {entry !== undefined && <Entry store={store} entry={entry} />}
    </aside>
  );
}

function Entry({ store, entry }: Props & { readonly entry: PeekEntry }) {
  const header = store.details.report.value?.header;
  if (header === undefined) return null;
  const { unit, output_unit: outputUnit, has_base: hasBase } = header;
  const { row } = entry;
  const place = placeOf(entry.row);
  const isBytes = header.companion_unit !== 'count';
  const mean = isBytes
    ? formatMean(entry.cum_companion, entry.cum, header.companion_unit)
    : formatMean(entry.cum, entry.cum_companion, unit);
  const open = (event: MouseEvent): void => {
    store.openMenu(entry.row, event.clientX, event.clientY);
  };
  return (
    <>
      <dl class="facts">
        <PackageFact store={store} row={row} />
        <TypeFact store={store} name={functionOf(row)} />
        {place !== '' && (
          <>
            <dt>Source</dt>
            <dd class="mono" title={place}>
              <Breakable text={place} />
            </dd>
          </>
        )}
        {entry.row.full_name !== '' && entry.row.full_name !== functionOf(entry.row) && (
          <>
            <dt>Symbol</dt>
            <dd class="mono symbol" title={entry.row.full_name}>
              <bdi>{entry.row.full_name}</bdi>
            </dd>
          </>
        )}
        {entry.row.object !== '' && (
          <>
            <dt>Object</dt>
            <dd class="mono">
              <Breakable text={entry.row.object} />
            </dd>
          </>
        )}
      </dl>
      <table class="sums">
        <thead>
          <tr>
            <th scope="col">
              <span class="sr">What</span>
            </th>
            <th scope="col">value</th>
            <th scope="col">of view</th>
          </tr>
        </thead>
        <tbody>
          {(
            [
              ['Self', entry.flat, entry.flat_base, entry.flat_spread, entry.flat_gross],
              ['Total', entry.cum, entry.cum_base, entry.cum_spread, entry.cum_gross],
            ] as const
          ).map(([label, value, base, samplingError, gross]) => (
            <>
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>
                  <b>{formatValue(value, unit, outputUnit)}</b>
                </td>
                <td>{formatPercent(value, header.value_total)}</td>
              </tr>
              <tr class="exact">
                <td colSpan={3}>{numberWithError(formatExact(value, unit), samplingError, gross, unit, outputUnit)}</td>
              </tr>
              {hasBase && (
                <tr>
                  <th scope="row">since baseline</th>
                  <td>
                    <Delta value={value} base={base} unit={unit} outputUnit={outputUnit} samplingError={samplingError} />
                  </td>
                  <td>{formatGrowth(value, base)}</td>
                </tr>
              )}
            </>
          ))}
          {header.companion_type !== '' && (
            <tr>
              <th scope="row">{isBytes ? 'Bytes' : 'Objects'}</th>
              <td>
                <b>{formatValue(entry.cum_companion, header.companion_unit)}</b>
              </td>
              <td title="Mean object size in bytes">{mean === '' ? '' : `${mean} each`}</td>
            </tr>
          )}
        </tbody>
      </table>
      <div class="details-ways">
        <button
          type="button"
          onClick={() => {
            store.act('focus', entry.row);
          }}
        >
          Focus
        </button>
        <button
          type="button"
          onClick={() => {
            store.act('callers', entry.row);
          }}
        >
          Callers
        </button>
        <button type="button" aria-haspopup="menu" onClick={open}>
          More…
        </button>
      </div>
      <SourceSnippet store={store} name={functionOf(entry.row)} />
      <DetailsLinks store={store} title="Callers" links={entry.callers} whole={entry.cum} none="No callers: stacks start here." />
      <DetailsLinks store={store} title="Callees" links={entry.callees} whole={entry.cum} none="No callees with memory." />
    </>
  );
}

/** Main container type of the function; a click filters by it. */
function TypeFact({ store, name }: { readonly store: Store; readonly name: string }) {
  const report = store.mainType.report.value;
  const [row, held] = [report?.row[0], report?.type[0]];
  if (report === undefined || row === undefined || functionOf(row) !== name || held === undefined || held.name === '') return null;
  const net = (value: readonly number[], base: readonly number[]): number => (value[0] ?? 0) - (base[0] ?? 0);
  const whole = net(report.flat, report.flat_base) || net(report.cum, report.cum_base);
  const patch = { type: typePattern(held), zoom: '' };
  return (
    <>
      <dt>Type</dt>
      <dd>
        <a href={store.href(patch)} title="Filter by this type">
          <MainType held={held} whole={whole} unit={report.header.unit} outputUnit={report.header.output_unit} />
        </a>
      </dd>
    </>
  );
}

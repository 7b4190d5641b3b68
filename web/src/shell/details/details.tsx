import type { PeekEntry, Row } from '../../api/types';
import { functionOf, placeOf } from '../../logic/names/names';
import { peekName } from '../../logic/names/pattern';
import { typePattern } from '../../logic/names/type-names';
import type { Store } from '../../state/store';
import { BreakableText } from '../../ui/breakable-text';
import { Icon } from '../../ui/icons';
import { Swatch } from '../../ui/swatch';
import { MainType } from '../../ui/type-name';
import { AccessMaps } from './accesses';
import { DetailsLinks } from './links';
import { NotShown } from './not-shown';
import { PackageFact } from './package';
import { AboutView, HidePanel } from './about-view';
import { SourceSnippet } from './source';
import { Sums } from './sums';

interface Props {
  readonly store: Store;
}

/** The server's answer when no function matches. */
const NOT_FOUND = 404;

/** The selected function: facts, values, callers and callees. */
export function Details({ store }: Props) {
  const selected = store.selected.value;
  if (selected === '') return <AboutView store={store} />;
  const entries = store.details.report.value?.entry ?? [];
  const entry = entries.find((e) => functionOf(e.row) === peekName(selected));
  const wrong = store.details.problem.value;
  return (
    <aside class="details" id="details" aria-label="Selected function">
      <div class="details-head">
        <h2 class="mono" data-selected>
          {entry !== undefined && <Swatch row={entry.row} />}
          <BreakableText text={selected} />
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
  const name = functionOf(entry.row);
  return (
    <>
      <Facts store={store} row={entry.row} />
      <Sums entry={entry} header={header} />
      <Ways store={store} row={entry.row} />
      <AccessMaps store={store} />
      <SourceSnippet store={store} name={name} />
      <DetailsLinks store={store} title="Callers" links={entry.callers} whole={entry.cum} none="No callers: stacks start here." />
      <DetailsLinks store={store} title="Callees" links={entry.callees} whole={entry.cum} none="No callees with memory." />
    </>
  );
}

interface RowProps extends Props {
  readonly row: Row;
}

function Ways({ store, row }: RowProps) {
  return (
    <div class="details-ways">
      <button
        type="button"
        onClick={() => {
          store.act('focus', row);
        }}
      >
        Focus
      </button>
      <button
        type="button"
        onClick={() => {
          store.act('callers', row);
        }}
      >
        Callers
      </button>
      <button
        type="button"
        aria-haspopup="menu"
        onClick={(e) => {
          store.openMenu(row, e.clientX, e.clientY);
        }}
      >
        More…
      </button>
    </div>
  );
}

/** Package, type, source, symbol and object file. */
function Facts({ store, row }: RowProps) {
  const place = placeOf(row);
  return (
    <dl class="facts">
      <PackageFact store={store} row={row} />
      <TypeFact store={store} name={functionOf(row)} />
      {place !== '' && (
        <>
          <dt>Source</dt>
          <dd class="mono" title={place}>
            <BreakableText text={place} />
          </dd>
        </>
      )}
      {row.full_name !== '' && row.full_name !== functionOf(row) && (
        <>
          <dt>Symbol</dt>
          <dd class="mono symbol" title={row.full_name}>
            <bdi>{row.full_name}</bdi>
          </dd>
        </>
      )}
      {row.object !== '' && (
        <>
          <dt>Object</dt>
          <dd class="mono">
            <BreakableText text={row.object} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** Main container type of the function; a click filters by it. */
function TypeFact({ store, name }: { readonly store: Store; readonly name: string }) {
  const report = store.mainType.report.value;
  const [row, mainType] = [report?.row[0], report?.type[0]];
  if (report === undefined || row === undefined || functionOf(row) !== name || mainType === undefined || mainType.name === '') return null;
  const net = (value: readonly number[], base: readonly number[]): number => (value[0] ?? 0) - (base[0] ?? 0);
  const whole = net(report.flat, report.flat_base) || net(report.cum, report.cum_base);
  const patch = { type: typePattern(mainType), zoom: '' };
  return (
    <>
      <dt>Type</dt>
      <dd>
        <a href={store.href(patch)} title="Filter by this type">
          <MainType type={mainType} whole={whole} unit={report.header.unit} outputUnit={report.header.output_unit} />
        </a>
      </dd>
    </>
  );
}

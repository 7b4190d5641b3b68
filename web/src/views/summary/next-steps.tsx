import type { Row, SummaryReport } from '../../api/types';
import { scopeOf, valueLabel } from '../../logic/recording';
import { formatPercent } from '../../logic/text/format';
import { baseName, displayName, functionOf } from '../../logic/names/names';
import { peekPattern } from '../../logic/names/pattern';
import { revealPatch } from '../../logic/url/show-level';
import { param } from '../../logic/url/view-url';
import { summaryMarkdown } from '../../state/report/summary-markdown';
import type { Store } from '../../state/store';

interface Props {
  readonly store: Store;
  readonly report: SummaryReport;
}

/** Limits of these numbers, and links to other views. */
export function NextSteps({ store, report }: Props) {
  const { header } = report;
  const meta = store.meta.value;
  const first = report.culprit[0]?.row;
  const permille = meta?.named_permille ?? 0;
  const dumps = meta?.dumps ?? [];
  const scope = scopeOf(store.url.value, meta);
  const earlier = scope === 'dumps' && dumps.length > 1 && !header.has_base && param(store.url.value, 'dump') === '';
  return (
    <section class="summary-part summary-next" aria-labelledby="go-on">
      <h2 id="go-on">Next steps</h2>
      <ul>
        <li>
          <button type="button" class="link" onClick={() => void copySummary(store)}>
            Copy summary as Markdown
          </button>{' '}
          (for an issue)
        </li>
        {first !== undefined && <CallersOf store={store} row={first} />}
        <li>
          Explore: <a href={store.href({}, 'flame')}>flame graph</a> · <a href={store.href({}, 'tree')}>call tree</a> ·{' '}
          <a href={store.href({}, 'types')}>container types</a>
        </li>
        {scope === 'recording' && !header.has_base && <OtherValues store={store} shown={header.value_type} />}
        {earlier && (
          <li>
            <a href={store.href({ dump: String(dumps.length - 1), base: '0' })}>
              What grew between {baseName(dumps[0]?.name ?? '')} and {baseName(dumps.at(-1)?.name ?? '')}
            </a>
          </li>
        )}
        {!header.has_base && dumps.length < 2 && <ToSeeGrowth store={store} />}
        {meta !== undefined && permille < 1000 && (
          <li>
            {formatPercent(permille, 1000)} of addresses have names; unnamed code is grouped by module. <MoreNames store={store} />
          </li>
        )}
        {header.warnings.map((w) => (
          <li key={w} class="warning">
            {w}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The top lists of a recording that are not shown: at the peak, leaked, allocations, temporary ones. */
function OtherValues({ store, shown }: { readonly store: Store; readonly shown: string }) {
  const kinds = store.meta.value?.value_types.map(({ kind }) => kind) ?? [];
  const others = ['peak_space', 'inuse_space', 'alloc_objects', 'temp_objects'].filter((kind) => kind !== shown && kinds.includes(kind));
  return (
    <li>
      Top functions by:{' '}
      {others.map((kind, i) => (
        <>
          {i > 0 && ' · '}
          <a key={kind} href={store.href({ si: kind === store.meta.value?.default_value_type ? '' : kind })}>
            {valueLabel(kind, 'recording').toLowerCase()}
          </a>
        </>
      ))}
    </li>
  );
}

function ToSeeGrowth({ store }: { readonly store: Store }) {
  const file = store.meta.value?.file ?? '';
  if (store.browser.kind === 'site') return <li>To see growth, take another dump later and drop it on this page.</li>;
  return (
    <li>
      To see growth, take another dump later and compare: <code class="mono">heapview -base=earlier.heap {file} later.heap</code>
    </li>
  );
}

function MoreNames({ store }: { readonly store: Store }) {
  if (store.browser.kind === 'site') return <>Drop the binary on this page, with its debug files, to get more.</>;
  return (
    <>
      <code class="mono">heapview doctor</code> lists what is missing.
    </>
  );
}

function CallersOf({ store, row }: { readonly store: Store; readonly row: Row }) {
  const name = functionOf(row);
  return (
    <li>
      <a href={store.href({ ...revealPatch(store.url.value, row.kind), peek: peekPattern(name), sel: name }, 'callers')}>
        See who calls <bdi class="mono">{displayName(name)}</bdi>
      </a>{' '}
      (the largest)
    </li>
  );
}

async function copySummary(store: Store): Promise<void> {
  const end = store.busy.begin();
  const text = await summaryMarkdown(store.url.value);
  const done = text !== undefined && (await store.browser.copy(text));
  end();
  store.notify(text === undefined ? 'The summary could not be created' : done ? 'Copied as Markdown' : 'The browser did not allow copying');
}

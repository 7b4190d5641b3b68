import { useSignalEffect } from '@preact/signals';
import { functionOf } from '../logic/names';
import type { Store } from '../state/store';
import { isShown, type MenuAction } from '../state/store';
import { Help } from '../ui/help';
import { Menu, type MenuItem } from '../ui/menu';
import { ProblemBox } from '../ui/problem';
import { CallersView } from './callers';
import { Details } from './details';
import { FlameView } from './flame';
import { Footer } from './footer';
import { GraphView } from './graph';
import { Header } from './header';
import { hasFilters, NO_FILTERS } from './links';
import { QueryBar } from './query-bar';
import { Toolbar } from './toolbar';
import { TopView } from './top';

interface Props {
  readonly store: Store;
}

const MENU: readonly MenuItem<MenuAction>[] = [
  { action: 'focus', label: 'Focus', hint: 'only stacks through it' },
  { action: 'ignore', label: 'Ignore', hint: 'no stacks through it' },
  { action: 'hide', label: 'Hide', hint: 'charge it to its callers' },
  { action: 'show_from', label: 'Show from', hint: 'begin stacks at it' },
  { action: 'callers', label: 'Callers', hint: 'and callees', apart: true },
  { action: 'copy-name', label: 'Copy name', hint: '', apart: true },
  { action: 'copy-link', label: 'Copy link', hint: 'to this view, it selected' },
];

/** The whole page: what surrounds every view, and the view. */
export function Frame({ store }: Props) {
  useSignalEffect(() => {
    const { meta, main } = store;
    const kind = main.report.value?.header.value_type ?? meta.value?.default_value_type ?? '';
    store.browser.setTitle(`${meta.value?.file ?? ''} ${kind} · heapview`.trim());
  });
  const menu = store.menu.value;
  return (
    <div class="frame">
      <Header store={store} />
      <Toolbar store={store} />
      <QueryBar store={store} />
      <main class="stage">
        <section class="view" aria-label="View" aria-busy={store.main.loading.value}>
          <Stage store={store} />
          <div class={store.main.loading.value ? 'progress on' : 'progress'} aria-hidden="true" />
        </section>
        <Details store={store} />
      </main>
      <Footer store={store} />
      {menu !== undefined && (
        <Menu
          label={functionOf(menu.row)}
          items={MENU}
          x={menu.x}
          y={menu.y}
          onAct={(action) => {
            store.act(action, menu.row);
          }}
          onClose={() => {
            store.menu.value = undefined;
          }}
        />
      )}
      <Help
        open={store.helpOpen.value}
        version={store.meta.value?.version ?? ''}
        onClose={() => {
          store.helpOpen.value = false;
        }}
      />
      <div class={store.notice.value === '' ? 'notice' : 'notice on'} role="status">
        {store.notice.value}
      </div>
    </div>
  );
}

/** The view, or why there is none. */
function Stage({ store }: Props) {
  const { report, problem } = store.main;
  const { view } = store.url.value;
  if (store.unknownPath.value !== '') {
    return (
      <ProblemBox title="There is no such page" message={store.unknownPath.value}>
        <button
          type="button"
          onClick={() => {
            store.go({}, 'flame');
          }}
        >
          Open the flame graph
        </button>
      </ProblemBox>
    );
  }
  const wrong = problem.value;
  if (wrong !== undefined && wrong.kind !== 'unreachable') return <Refused store={store} />;
  const current = isShown(report.value, view) ? report.value : undefined;
  if (wrong !== undefined && current === undefined) {
    return (
      <ProblemBox
        title="No answer"
        message={wrong.message}
        hint="Start heapview again with the same file; this page then goes on by itself."
      />
    );
  }
  if (current === undefined)
    return (
      <div class="waiting" role="status">
        Reading the profile…
      </div>
    );
  if (current.header.value_total === 0 && current.header.base_total === 0 && current.kind !== 'peek') return <Empty store={store} />;
  switch (view) {
    case 'top':
      return current.kind === 'top' ? <TopView store={store} report={current} /> : null;
    case 'flame':
      return current.kind === 'flame' ? <FlameView store={store} report={current} /> : null;
    case 'graph':
      return current.kind === 'graph' ? <GraphView store={store} report={current} /> : null;
    case 'callers':
      return <CallersView store={store} report={current} />;
    default:
      return view satisfies never;
  }
}

const NOT_FOUND = 404;

/** As the server says it, with a capital and a stop. */
function sentence(text: string): string {
  return text === '' ? '' : text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.');
}

function Refused({ store }: Props) {
  const wrong = store.main.problem.value;
  if (wrong === undefined) return null;
  const { field, status } = wrong;
  const title =
    status === NOT_FOUND ? 'Nothing matches' : field === '' ? 'The server cannot answer this' : `The server does not understand “${field}”`;
  const out = field === 'peek' ? 'Choose another function' : field === 'zoom' ? 'Show everything' : `Remove ${field}`;
  return (
    <ProblemBox title={title} message={sentence(wrong.message)} hint={status === NOT_FOUND ? '' : sentence(wrong.hint)}>
      {field !== '' && (
        <button
          type="button"
          class="primary"
          onClick={() => {
            store.go({ [field]: '' });
          }}
        >
          {out}
        </button>
      )}
      {hasFilters(store) && (
        <button
          type="button"
          onClick={() => {
            store.go({ ...NO_FILTERS, zoom: '' });
          }}
        >
          Remove all filters
        </button>
      )}
      <a class="button" href="/">
        Start over
      </a>
    </ProblemBox>
  );
}

function Empty({ store }: Props) {
  const filtered = hasFilters(store);
  return (
    <ProblemBox
      kind="empty"
      title={filtered ? 'No stack passes these filters' : 'This profile holds nothing of this type'}
      message={
        filtered
          ? 'Every sample was left out by the filters above.'
          : 'The sum of all its values is zero. Another value type or dump may have some.'
      }
    >
      {filtered && (
        <button
          type="button"
          class="primary"
          onClick={() => {
            store.go({ ...NO_FILTERS, zoom: '' });
          }}
        >
          Remove all filters
        </button>
      )}
    </ProblemBox>
  );
}

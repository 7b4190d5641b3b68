import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Row } from '../api/types';
import { formatTime } from '../logic/text/format';
import { functionOf } from '../logic/names/names';
import type { Store } from '../state/store';
import type { MenuAction } from '../state/store';
import { isShown } from '../state/report/is-shown';
import { ColumnSizesContext } from '../ui/table/column-sizes';
import { Help } from '../ui/help';
import { ContextMenu, type MenuItem } from '../ui/menu';
import { Splitter } from '../ui/splitter';
import { PANEL } from '../state/page/prefs';
import { Banners } from './banners';
import { Details } from './details/details';
import { EditorDialog } from './editor-dialog';
import { Footer } from './footer';
import { Header } from './header';
import { Lost } from './lost-connection';
import { DropZone, OpeningFiles } from './opening/files';
import { isPanelOpen } from './details/panel';
import { QueryBar } from './query/bar';
import { Share } from './share';
import { CurrentView } from './current-view';
import { StartPage } from './opening/start-page';
import { Toolbar } from './toolbar';
import { useHomeFocus } from './use-home-focus';

interface Props {
  readonly store: Store;
}

const MENU: readonly MenuItem<MenuAction>[] = [
  { action: 'focus', label: 'Focus', hint: 'only stacks through it' },
  { action: 'ignore', label: 'Ignore', hint: 'no stacks through it' },
  { action: 'hide', label: 'Hide', hint: 'charge it to its callers' },
  { action: 'show_from', label: 'Show from', hint: 'start stacks at it' },
  { action: 'wrapper', label: 'Allocation wrapper', hint: 'charge its callers', apart: true },
  { action: 'no-wrapper', label: 'Not an allocation wrapper', hint: 'charge it instead', apart: true },
  { action: 'callers', label: 'Callers and callees', hint: '', apart: true },
  { action: 'source', label: 'Source', hint: 'lines and code' },
  { action: 'editor', label: 'Open in editor', hint: '' },
  { action: 'copy-name', label: 'Copy name', hint: '', apart: true },
  { action: 'copy-link', label: 'Copy link with this function selected', hint: '' },
];

/** Actions that pages without a server cannot do: their links do not work elsewhere, and they have no local paths. */
const OF_SERVER: ReadonlySet<MenuAction> = new Set(['editor', 'copy-link']);

/** Items of a function's menu: fewer without a server, and one of the two about wrappers. */
function menuItems(store: Store, row: Row): readonly MenuItem<MenuAction>[] {
  const left = row.kind === 'allocator' ? 'wrapper' : 'no-wrapper';
  return MENU.filter(({ action }) => {
    if (action === 'wrapper' || action === 'no-wrapper') return action !== left && functionOf(row) !== row.file;
    return store.browser.kind === 'server' || !OF_SERVER.has(action);
  });
}

/** The whole page: the view and everything around it. */
export function Page({ store }: Props) {
  usePageTitle(store);
  const section = useRef<HTMLElement>(null);
  const { view } = store.url.value;
  useHomeFocus(section, view, isShown(store.main.report.value, view));
  if (store.start.isShown.value) {
    return (
      <DropZone store={store}>
        <StartPage store={store} />
        <Around store={store} />
      </DropZone>
    );
  }
  return (
    <DropZone store={store}>
      <Header store={store} />
      <div class="controls">
        <Toolbar store={store} />
        <QueryBar store={store} />
      </div>
      <Banners store={store} />
      <main class={isPanelOpen(store) ? 'stage with-details' : 'stage'} style={{ '--details': `${store.prefs.panelWidth.value}px` }}>
        <section class="view" ref={section} aria-label="View" aria-busy={store.main.loading.value}>
          <ColumnSizesContext.Provider value={{ widths: store.prefs.columns.value, onResize: store.prefs.setColumn }}>
            <CurrentView store={store} />
          </ColumnSizesContext.Provider>
          <div class={store.main.loading.value ? 'progress on' : 'progress'} aria-hidden="true" />
        </section>
        {isPanelOpen(store) && <DetailsPanel store={store} />}
        <FunctionMenu store={store} />
      </main>
      <Footer store={store} />
      <Around store={store} />
      <Share store={store} />
    </DropZone>
  );
}

/** File, value type and program in the title of the browser's window. */
function usePageTitle(store: Store): void {
  useSignalEffect(() => {
    const { meta, main } = store;
    const kind = main.report.value?.header.value_type ?? meta.value?.default_value_type ?? '';
    if (store.start.isShown.value) {
      store.browser.setTitle('heapview');
      return;
    }
    const of = store.browser.kind === 'report' ? ['report', formatTime(store.browser.made).slice(0, 10)] : [];
    store.browser.setTitle([`${meta.value?.file ?? ''} ${kind}`.trim(), ['heapview', ...of].join(' ').trim()].join(' · '));
  });
}

function DetailsPanel({ store }: Props) {
  return (
    <>
      <Splitter
        label="Width of the details panel"
        controls="details"
        value={store.prefs.panelWidth.value}
        min={PANEL.least}
        max={PANEL.most}
        usual={PANEL.usual}
        onChange={store.prefs.setPanelWidth}
        onCollapse={() => {
          store.prefs.setPanel('closed');
        }}
      />
      <Details store={store} />
    </>
  );
}

/** The menu of a function, where it was opened. */
function FunctionMenu({ store }: Props) {
  const menu = store.menu.value;
  if (menu === undefined) return null;
  return (
    <ContextMenu
      label={functionOf(menu.row)}
      items={menuItems(store, menu.row)}
      x={menu.x}
      y={menu.y}
      onAct={(action) => {
        store.act(action, menu.row);
      }}
      onClose={() => {
        store.menu.value = undefined;
      }}
    />
  );
}

/** Overlays of every page: lost connection, help, notices, uploads. */
function Around({ store }: Props) {
  return (
    <>
      <Lost store={store} />
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
      {!store.start.isShown.value && <OpeningFiles store={store} />}
      <EditorDialog store={store} />
    </>
  );
}

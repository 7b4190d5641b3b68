import { computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { isPeek, isReport, isTop, type AnyReport, type Tagged } from '../api/guards';
import type { PeekReport, Row, TopReport } from '../api/types';
import { baseName, functionOf } from '../logic/names/names';
import { compilePattern, type Pattern } from '../logic/names/pattern';
import { param } from '../logic/url/view-url';
import { createActions, type MenuAction } from './actions';
import type { Browser } from './page/browser';
import { createBusy, type Busy } from './page/busy';
import { createEditing, type Editing } from './page/editing';
import { createLabels, type LabelsState } from './report/labels';
import { createHeadline, type HeadlineState } from './report/summary-markdown';
import { createOwnership, type OwnershipState } from './report/ownership';
import type { Connection } from './server/connection';
import { createUploads, type Uploads } from './server/uploads';
import { createGrowing, type GrowingState } from './report/summary-growth';
import { createMeta, type MetaState } from './server/meta';
import { createNavigation, type Navigation } from './address/navigation';
import { createNotice, type Notice } from './page/notice';
import { createReportState, type ReportState } from './report/report-state';
import { createWidth, type Width } from './page/width';
import { createPrefs, type Prefs } from './page/prefs';
import { createReportPaths } from './report/report-paths';
import { createShow, type Show } from './address/show-level';
import { createSharing, type Sharing } from './server/share';
import { createSaved, type Saved } from './address/saved';
import { createStart, type Start } from './server/start-page';
import { createSelection, type Selection } from './report/selection';
import { createTablePages, type TablePages } from './report/table-pages';

export type { MenuAction } from './actions';

/** An open function menu and its position. */
export interface MenuState {
  readonly row: Row;
  readonly x: number;
  readonly y: number;
}
/** Search matches in the current view. */
export interface Found {
  readonly count: number;
  /** Number of all rows, where the view shows all and marks matches. */
  readonly of?: number;
  readonly noun: string;
  readonly value?: number;
  /** Index of the current match; −1 for none. */
  readonly at?: number;
  /** Goes to the next or previous match. */
  readonly step?: (by: 1 | -1) => void;
}

/** State of the page. The address determines what is shown; everything else is short-lived. */
export interface Store extends Navigation, Notice, LabelsState, Selection, GrowingState, HeadlineState, OwnershipState {
  readonly browser: Browser;
  readonly busy: Busy;
  readonly prefs: Prefs;
  readonly width: Width;
  readonly show: Show;
  readonly meta: MetaState['meta'];
  readonly connection: MetaState['connection'];
  readonly uploads: Uploads;
  readonly sharing: Sharing;
  readonly start: Start;
  readonly editing: Editing;
  readonly main: ReportState<AnyReport>;
  readonly table: TablePages;
  readonly details: ReportState<Tagged<'peek', PeekReport>>;
  /** Value of the stacks that pass through a match of the search. */
  readonly matched: ReportState<Tagged<'top', TopReport>>;
  readonly saved: Saved;
  readonly search: ReadonlySignal<Pattern>;
  readonly selected: ReadonlySignal<string>;
  readonly menu: Signal<MenuState | undefined>;
  readonly helpOpen: Signal<boolean>;
  readonly found: Signal<Found | undefined>;
  /** Increases when `/` moves the focus to the search box. */
  readonly searchFocusCount: Signal<number>;
  select(row: Row | undefined): void;
  act(action: MenuAction, row: Row): void;
  /** Opens the menu of a function at a point; does nothing without a row. */
  openMenu(row: Row | undefined, x: number, y: number): void;
}

const MOST_DOUBTS = 3;
/** Details wait until the selection rests. */
const DETAILS_DELAY_MS = 120;

export function createStore(browser: Browser, boot: unknown): Store {
  const busy = createBusy();
  const { meta, generation, connection } = createMeta(boot, busy, browser);
  const show = createShow(browser);
  const menu = signal<MenuState | undefined>(undefined);
  const { notice, notify } = createNotice(menu);
  const { reload, restart, ...navigation } = createNavigation(browser, meta, show, () => {
    menu.value = undefined;
  });
  const { url, unknownPath, go, adjust } = navigation;
  const prefs = createPrefs(browser);
  const start = createStart(meta, unknownPath, busy);
  onOtherProfile(start, meta, notify, reload, restart);

  const blocked = computed(() => (start.isEmpty.value ? 'no profile' : unknownPath.value));
  const selected = computed(() => param(url.value, 'sel'));
  const search = computed(() => compilePattern(param(url.value, 'q')));
  const paths = createReportPaths({ url, meta, blocked, search, selected });
  const unit = (): string => param(url.peek(), 'unit') || 'auto';
  const main = createReportState(paths.main, generation, isReport, busy, unit);
  const details = createReportState(paths.details, generation, isPeek, busy, unit, DETAILS_DELAY_MS);
  show.watch({ url, main, meta, go, adjust });
  const editing = createEditing(prefs, browser);
  const ownership = createOwnership(url, go, notify, busy);

  checkConnection(main, connection);
  return {
    ...navigation,
    browser,
    busy,
    show,
    meta,
    connection,
    uploads: createUploads(busy),
    sharing: createSharing(),
    start,
    editing,
    menu,
    notice,
    notify,
    ...ownership,
    act: createActions({ url, meta, menu, editing, browser, go, changeRules: ownership.changeRules, notify }),
    openMenu: opensMenu(menu),
    selected,
    prefs,
    width: createWidth(browser),
    main,
    table: createTablePages(main, busy, connection.doubt),
    details,
    ...createSelection(url, meta, selected, details, generation, busy, unit),
    search,
    saved: createSaved(browser),
    ...createGrowing(url, blocked, meta, generation, busy, unit),
    ...createHeadline(url, blocked, generation, busy),
    ...createLabels(url, blocked, meta, generation, busy, unit),
    matched: createReportState(paths.matched, generation, isTop, busy, unit),
    ...untilReload(),
    select: (row) => adjust({ sel: row === undefined ? '' : functionOf(row) }),
  };
}

/** State that nothing remembers. */
function untilReload(): Pick<Store, 'helpOpen' | 'searchFocusCount' | 'found'> {
  return { helpOpen: signal(false), searchFocusCount: signal(0), found: signal<Found | undefined>(undefined) };
}

function opensMenu(menu: Signal<MenuState | undefined>): Store['openMenu'] {
  return (row, x, y) => {
    if (row !== undefined) menu.value = { row, x, y };
  };
}

/** Checks the connection when a request got no answer; not for ever, if the server is there and cannot answer it. */
function checkConnection(main: ReportState<AnyReport>, connection: Connection): void {
  let doubts = 0;
  effect(() => {
    if (main.problem.value?.kind !== 'unreachable') doubts = 0;
    else if (doubts++ < MOST_DOUBTS) connection.doubt();
  });
}

/** Adapts the address when a profile is opened on the start page, or in place of the open one. */
function onOtherProfile(start: Start, meta: MetaState['meta'], notify: Notice['notify'], reload: () => void, restart: () => void): void {
  // The first profile: a bare address now shows the view that the server was started with.
  start.onFirst(reload);
  // Options of the view belong to the profile that was open.
  start.onOther(() => {
    const isOurs = start.isShown.peek();
    start.answer(false);
    restart();
    const last = meta.peek()?.dumps.at(-1);
    if (!isOurs && last !== undefined) notify(`The owner of this server opened ${baseName(last.name)} in place of the profile before`);
  });
}

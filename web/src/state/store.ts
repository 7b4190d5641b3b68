import { computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { isPeek, isReport, isTop, type AnyReport, type Tagged } from '../api/guards';
import type { PeekReport, Row, TopReport } from '../api/types';
import { seriesLength } from '../logic/timeline/growing';
import { functionOf } from '../logic/names/names';
import { compilePattern, peekPattern, type Pattern } from '../logic/names/pattern';
import { apiPath, hrefOf, param, patchUrl, type Patch, type ViewName, type ViewUrl } from '../logic/url/view-url';
import { createAddress } from './address';
import { createActions, type MenuAction } from './actions';
import type { Browser } from './browser';
import { createBusy, type Busy } from './busy';
import { createEditing, type Editing } from './editing';
import { createLabels, type LabelsState } from './labels';
import { BESIDE, mainPath } from './main-path';
import { createHeadline, type HeadlineState } from './explained';
import { createFiles, type Files } from './files';
import { createGrowing, type GrowingState } from './growing';
import { createMeta, type MetaState } from './meta';
import { createPane, type Pane } from './pane';
import { createPrefs, type Prefs } from './prefs';
import { createShow, type Show } from './show';
import { createSharing, type Sharing } from './share';
import { createSaved, opener, type Saved } from './saved';
import { createStart, type Start } from './start';
import { createOfSelected, type OfSelected } from './of-selected';
import { createTablePages, type TablePages } from './table-pages';

export type { MenuAction } from './actions';

/** A function's menu, and where it is open. */
export interface MenuState {
  readonly row: Row;
  readonly x: number;
  readonly y: number;
}
/** What the search found in the current view. */
export interface Found {
  readonly count: number;
  /** Rows in all, where the view shows all rows and marks those that match. */
  readonly of?: number;
  readonly noun: string;
  readonly value?: number;
  /** Which of them the view is at, from 0 on; −1 when it is at none. */
  readonly at?: number;
  /** Leads to the next one, or the one before. */
  readonly step?: (by: 1 | -1) => void;
}

/** Everything the page knows. The address is the state; the rest is what passes over the screen. */
export interface Store extends LabelsState, OfSelected, GrowingState, HeadlineState {
  readonly browser: Browser;
  readonly busy: Busy;
  readonly prefs: Prefs;
  readonly show: Show;
  readonly url: ReadonlySignal<ViewUrl>;
  readonly unknownPath: ReadonlySignal<string>;
  /** Why the page may show something else than its link was made for; empty when it does not. */
  readonly linkNote: Signal<string>;
  readonly meta: MetaState['meta'];
  readonly connection: MetaState['connection'];
  readonly files: Files;
  readonly sharing: Sharing;
  readonly start: Start;
  readonly editing: Editing;
  readonly main: Pane<AnyReport>;
  readonly table: TablePages;
  readonly details: Pane<Tagged<'peek', PeekReport>>;
  /** What the stacks hold that pass through a match of the search. */
  readonly matched: Pane<Tagged<'top', TopReport>>;
  readonly saved: Saved;
  /** Opens an address of this page. */
  open(href: string): void;
  readonly search: ReadonlySignal<Pattern>;
  readonly selected: ReadonlySignal<string>;
  readonly menu: Signal<MenuState | undefined>;
  readonly helpOpen: Signal<boolean>;
  readonly found: Signal<Found | undefined>;
  /** Grows when `/` asks for the search box. */
  readonly searchAsked: Signal<number>;
  readonly notice: ReadonlySignal<string>;
  href(patch: Patch, view?: ViewName): string;
  /** Click: a new entry in the history. */
  go(patch: Patch, view?: ViewName): void;
  /** Typing and moving about: the same entry. */
  adjust(patch: Patch): void;
  select(row: Row | undefined): void;
  say(text: string): void;
  act(action: MenuAction, row: Row): void;
  /** Opens the menu of a function at a point; without one nothing happens. */
  openMenu(row: Row | undefined, x: number, y: number): void;
}

const NOTICE_MS = 2500;
const MOST_DOUBTS = 3;

export function createStore(browser: Browser, boot: unknown): Store {
  const busy = createBusy();
  const fallback: ViewUrl = { view: 'summary', params: [] };
  const { meta, generation, connection } = createMeta(boot, busy, browser);
  const show = createShow(browser);
  const { read, linkNote } = createAddress(browser, meta, show);
  const first = read();
  const url = signal<ViewUrl>(first ?? fallback);
  const unknownPath = signal(first === undefined ? browser.readUrl() : '');
  const menu = signal<MenuState | undefined>(undefined);
  const notice = signal('');
  const prefs = createPrefs(browser);

  browser.onMove(() => {
    const next = read();
    unknownPath.value = next === undefined ? browser.readUrl() : '';
    url.value = next ?? fallback;
    menu.value = undefined;
  });

  const start = createStart(meta, busy);
  // The first profile: a bare address now shows what the server was started with.
  start.onFirst(() => {
    url.value = read() ?? fallback;
  });
  /** No report is asked for: the address is unknown, or no profile is open yet. */
  const blocked = computed(() => (start.isEmpty.value ? 'no profile' : unknownPath.value));
  const path = computed(() => {
    const { view } = url.value;
    // One dump alone has no growth to ask about.
    if (blocked.value !== '' || (view === 'timeline' && seriesLength(meta.value?.dumps ?? []) < 2)) return undefined;
    // Only tables are sorted by what is found: other views stay as they are while somebody types.
    return mainPath(
      url.value,
      view === 'top' || view === 'callers' || (view === 'source' && param(url.value, 'list') === '') ? search.value : { kind: 'none' },
    );
  });
  const selected = computed(() => param(url.value, 'sel'));
  const detailsPath = computed(() =>
    selected.value === '' || blocked.value !== ''
      ? undefined
      : apiPath(url.value, 'peek', {
          peek: peekPattern(selected.value),
          n: '',
          nf: '',
          ef: '',
          counts: 't',
          ...BESIDE,
          g: param(url.value, 'g') === 'files' ? 'files' : '',
        }),
  );

  const unit = (): string => param(url.peek(), 'unit') || 'auto';
  const search = computed(() => compilePattern(param(url.value, 'q')));
  // One more filter on the stacks, in a place that is free: with focus and show_from taken there is none.
  const matchedPath = computed(() => {
    const u = url.value;
    const { value: pattern } = search;
    const free = ['f', 'sf'].find((name) => param(u, name) === '');
    if (pattern.kind !== 'ok' || (u.view === 'flame' && param(u, 'zoom') !== '') || free === undefined || blocked.value !== '')
      return undefined;
    return apiPath(u, 'top', { [free]: pattern.source, n: '1' });
  });

  const main = createPane(path, generation, isReport, busy, unit);
  const details = createPane(detailsPath, generation, isPeek, busy, unit, 120);

  const go = (patch: Patch, view: ViewName = url.peek().view): void => {
    const next = patchUrl(url.peek(), patch, view);
    const lost = unknownPath.peek() !== '';
    menu.value = undefined;
    unknownPath.value = '';
    if (!lost && hrefOf(next) === hrefOf(url.peek())) return;
    url.value = next;
    browser.push(hrefOf(next));
  };
  const adjust = (patch: Patch): void => {
    const next = patchUrl(url.peek(), patch);
    if (hrefOf(next) === hrefOf(url.peek())) return;
    url.value = next;
    browser.replace(hrefOf(next));
  };
  let hush: ReturnType<typeof setTimeout> | undefined;
  const say = (text: string): void => {
    notice.value = text;
    clearTimeout(hush);
    hush = setTimeout(() => {
      notice.value = '';
    }, NOTICE_MS);
  };
  // A menu is what the user looks at next.
  effect(() => {
    if (menu.value === undefined) return;
    clearTimeout(hush);
    notice.value = '';
  });
  show.watch({ url, main, meta, go, adjust });
  const editing = createEditing(prefs, browser);
  const act = createActions({ url, meta, menu, editing, browser, go, say });

  // A question that never gets an answer, though the server is there, is not asked for ever.
  let doubts = 0;
  effect(() => {
    if (main.problem.value?.kind !== 'unreachable') doubts = 0;
    else if (doubts++ < MOST_DOUBTS) connection.doubt();
  });

  return {
    browser,
    busy,
    url,
    show,
    unknownPath,
    linkNote,
    meta,
    connection,
    files: createFiles(busy),
    sharing: createSharing(),
    start,
    editing,
    menu,
    notice,
    go,
    adjust,
    say,
    act,
    openMenu: (row, x, y) => {
      if (row !== undefined) menu.value = { row, x, y };
    },
    selected,
    prefs,
    main,
    table: createTablePages(main, busy, connection.doubt),
    details,
    ...createOfSelected(url, selected, details, generation, busy, unit),
    search,
    saved: createSaved(browser),
    open: opener(browser, url, unknownPath),
    ...createGrowing(url, blocked, meta, generation, busy, unit),
    ...createHeadline(url, blocked, generation, busy),
    ...createLabels(url, blocked, meta, generation, busy, unit),
    matched: createPane(matchedPath, generation, isTop, busy, unit),
    helpOpen: signal(false),
    searchAsked: signal(0),
    found: signal<Found | undefined>(undefined),
    href: (patch, view) => browser.link(hrefOf(patchUrl(url.value, patch, view ?? url.value.view))),
    select: (row) => adjust({ sel: row === undefined ? '' : functionOf(row) }),
  };
}

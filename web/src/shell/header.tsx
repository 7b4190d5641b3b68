import type { Meta } from '../api/types';
import { formatClock } from '../logic/text/elapsed';
import { formatTime, plural } from '../logic/text/format';
import { START_PATH } from '../logic/url/start-path';
import { baseName } from '../logic/names/names';
import { pairOf, shownOf, takenAt } from '../logic/dumps';
import { THEMES } from '../state/page/prefs';
import type { Store } from '../state/store';
import { Icon, Mark } from '../ui/icons';
import { DownloadMenu } from './menus/download';
import { isPanelOpen, togglePanel } from './details/panel';
import { ViewsMenu } from './menus/saved-views';
import { FilePicker } from './opening/files';

interface Props {
  readonly store: Store;
}

/** Link to the start page if another profile may be opened, else to the first view. */
function Brand({ store }: Props) {
  const mayReplace = store.meta.value?.may_replace === true;
  const title = mayReplace ? 'Open another profile' : 'Start over';
  return (
    <a
      class="brand"
      href={store.browser.link(mayReplace ? START_PATH : '/')}
      title={title}
      aria-label={`heapview: ${title.toLowerCase()}`}
      onClick={(e) => {
        if (!mayReplace || e.ctrlKey || e.metaKey || e.shiftKey) return;
        e.preventDefault();
        store.openStart();
      }}
    >
      <Mark />
      heapview
    </a>
  );
}

/** The open profile, and controls that do not change the view. */
export function Header({ store }: Props) {
  return (
    <header class="header">
      <Brand store={store} />
      <Crumbs store={store} />
      <PanelButton store={store} />
      <button
        type="button"
        class="quiet"
        title="Keys and gestures (?)"
        aria-label="Help: keys and gestures"
        onClick={() => {
          store.helpOpen.value = true;
        }}
      >
        <Icon name="help" />
      </button>
      <ThemeButton store={store} />
      <ViewsMenu store={store} />
      <DownloadMenu store={store} />
      {store.meta.value?.may_open === true && <FilePicker store={store} purpose="show" label="Open a profile or binary" icon />}
      <button
        type="button"
        class="share-button"
        name="share"
        onClick={() => {
          store.sharing.open.value = true;
        }}
      >
        Share
      </button>
    </header>
  );
}

/** The program, the shown dumps and their time. */
function Crumbs({ store }: Props) {
  const meta = store.meta.value;
  const dumps = meta?.dumps ?? [];
  // The named dump, or the only one that is shown.
  const number = shownOf(pairOf(store.url.value), dumps);
  const one = number === '' || number.includes(',') ? undefined : dumps[Number(number)];
  const last = one ?? dumps.at(-1);
  const time = formatTime(last === undefined ? 0 : takenAt(last));
  return (
    <span class="crumbs">
      {store.browser.home !== '' && (
        <a class="to-service" href={store.browser.home} title="Dumps of this service">
          {decodeURIComponent(baseName(store.browser.home)) || 'Services'}
        </a>
      )}
      <h1>{meta?.file === '' ? 'unknown program' : (meta?.file ?? '')}</h1>
      {one !== undefined && (
        <span class="crumb" title={one.name}>
          {baseName(one.name)}
        </span>
      )}
      {one === undefined && dumps.length > 1 && (
        <span class="crumb">
          {baseName(dumps[0]?.name ?? '')} … {baseName(dumps.at(-1)?.name ?? '')}
        </span>
      )}
      {time !== '' && <span class="crumb">{time}</span>}
      {dumps.length > 0 && <span class="crumb">{contents(meta)}</span>}
      {store.browser.kind === 'report' && (
        <span class="crumb" title="The page and all its data are in this one file; no server is needed">
          report file
        </span>
      )}
    </span>
  );
}

/** What is open: dumps, recordings, or both. */
function contents(meta: Meta | undefined): string {
  const runs = meta?.runs ?? [];
  const dumps = meta?.dumps ?? [];
  const nMoments = dumps.filter(({ moment }) => moment !== undefined).length;
  const nOthers = dumps.length - nMoments - runs.length;
  const others = nOthers > 0 ? `, ${plural(nOthers, 'dump')}` : '';
  const [one] = runs;
  if (one === undefined) return plural(dumps.length, 'dump');
  return (runs.length === 1 ? `recording of ${formatClock(one.duration, one.clock)}` : plural(runs.length, 'recording')) + others;
}

function PanelButton({ store }: Props) {
  return (
    <button
      type="button"
      class="quiet"
      name="panel"
      title="Details panel (])"
      aria-label="Details panel"
      aria-expanded={isPanelOpen(store)}
      aria-controls="details"
      onClick={() => {
        togglePanel(store);
      }}
    >
      <Icon name="panel" />
    </button>
  );
}

function ThemeButton({ store }: Props) {
  const { theme } = store.prefs;
  const nextTheme = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  return (
    <button
      type="button"
      class="quiet"
      name="theme"
      title={`Theme: ${theme.value}; next: ${nextTheme}`}
      aria-label={`Theme: ${theme.value}. Change to ${nextTheme}`}
      onClick={() => {
        store.prefs.setTheme(nextTheme);
      }}
    >
      <Icon name={theme.value} />
    </button>
  );
}

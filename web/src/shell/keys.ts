import type { Store } from '../state/store';
import { pairOf, patchOf, shownOf, withShown } from '../logic/dumps';
import { neighbourOf } from '../logic/recording';
import { viewKey, VIEWS } from '../logic/url/view-url';
import { openViewPatch } from '../logic/url/open-view';
import { isTyping } from '../ui/is-typing';
import { togglePanel } from './details/panel';

/** Keys that work everywhere; a view's own keys are handled where its focus is. */
export function handleKey(store: Store, event: KeyboardEvent): void {
  const { value: found } = store.found;
  if (event.key === 'F3' && found?.step !== undefined) {
    found.step(event.shiftKey ? -1 : 1);
    event.preventDefault();
    return;
  }
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (store.browser.openDialogPresent()) return;
  // The start page has no views.
  if (store.start.isShown.value && event.key !== '?') return;
  const view = VIEWS.find((v) => viewKey(v) === event.key);
  if (view !== undefined) store.go(openViewPatch(store.url.value, store.selected.value, view), view);
  else if (event.key === '/') store.searchFocusCount.value += 1;
  else if ((event.key === 'n' || event.key === 'N') && found?.step !== undefined) found.step(event.key === 'n' ? 1 : -1);
  else if (event.key === '?') store.helpOpen.value = true;
  else if (event.key === ',' || event.key === '.') stepMoment(store, event.key === '.' ? 1 : -1);
  else if (event.key === ']') togglePanel(store);
  else if (event.key === 'm') openMenuOfSelection(store);
  else if (event.key === 'Escape' && store.selected.value !== '' && !store.browser.openPanelPresent()) store.select(undefined);
  else return;
  event.preventDefault();
}

/** Shows the moment before or after, in a recording. */
function stepMoment(store: Store, by: 1 | -1): void {
  const { value: meta } = store.meta;
  const url = store.url.value;
  const pair = pairOf(url);
  const to = meta === undefined ? -1 : neighbourOf(shownOf(pair, meta.dumps), by, meta);
  if (to >= 0) store.adjust(patchOf(url, withShown(pair, String(to))));
}

const FAR_RIGHT = 100_000;
const BELOW_BAR = 140;

function openMenuOfSelection(store: Store): void {
  store.openMenu(store.details.report.value?.entry[0]?.row, FAR_RIGHT, BELOW_BAR);
}

import { exactly, peekPattern } from '../logic/pattern';
import { param, type Patch, type ViewName } from '../logic/view-url';
import type { Store } from '../state/store';

/** What changes in the address when another view is opened: Callers and Source show the selected function. */
export function viewHrefPatch(store: Store, view: ViewName): Patch {
  const { value: url } = store.url;
  const selected = store.selected.value;
  if (selected === '' || url.view === view) return {};
  if (view === 'callers') return { peek: peekPattern(selected) };
  return view === 'source' ? { list: exactly(selected), list_files: '', in: '', line: '', lines: '' } : {};
}

/** Every filter's short name in the address, with its name. */
export const FILTERS: readonly (readonly [string, string])[] = [
  ['f', 'focus'],
  ['i', 'ignore'],
  ['h', 'hide'],
  ['s', 'show'],
  ['sf', 'show_from'],
  ['tf', 'tagfocus'],
  ['ti', 'tagignore'],
];

/** Takes every filter off. */
export const NO_FILTERS: Patch = Object.fromEntries(FILTERS.map(([alias]) => [alias, '']));

export function hasFilters(store: Store): boolean {
  return FILTERS.some(([alias]) => param(store.url.value, alias) !== '');
}

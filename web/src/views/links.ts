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
  ['package', 'package'],
  ['blame', 'blame'],
  ['tf', 'tagfocus'],
  ['ti', 'tagignore'],
  ['type', 'type'],
];

/** What a chip stands for; all but labels, which have one for each value. */
export interface Setting {
  readonly alias: string;
  readonly name: string;
  readonly kind: 'regex' | 'text' | 'flag';
}

const setting =
  (kind: Setting['kind']) =>
  ([alias, name]: readonly [string, string]): Setting => ({ alias, name, kind });

/** In pprof's order. */
export const SETTINGS: readonly Setting[] = [
  ...FILTERS.filter(([alias]) => alias !== 'tf' && alias !== 'ti').map(setting('regex')),
  ...(
    [
      ['ts', 'tagshow'],
      ['th', 'taghide'],
      ['prunefrom', 'prune_from'],
      ['package', 'package'],
      ['blame', 'blame'],
    ] as const
  ).map(setting('regex')),
  ...(
    [
      ['tagroot', 'tagroot'],
      ['tagleaf', 'tagleaf'],
      ['divide_by', 'divide_by'],
      ['nf', 'nodefraction'],
      ['ef', 'edgefraction'],
      ['hide_kind', 'hide_kind'],
      ['kinds', 'kinds'],
    ] as const
  ).map(setting('text')),
  ...(
    [
      ['noinlines', 'noinlines'],
      ['culprit', 'culprit'],
      ['norm', 'normalize'],
      ['rel', 'relative_percentages'],
      ['mean', 'mean'],
      ['dropneg', 'drop_negative'],
      ['calltree', 'call_tree'],
      ['showcolumns', 'showcolumns'],
    ] as const
  ).map(setting('flag')),
];

/** Takes every filter off. */
export const NO_FILTERS: Patch = Object.fromEntries(
  [...FILTERS.map(([alias]) => alias), ...SETTINGS.map((s) => s.alias)].map((alias) => [alias, '']),
);

export function hasFilters(store: Store): boolean {
  return FILTERS.some(([alias]) => param(store.url.value, alias) !== '');
}

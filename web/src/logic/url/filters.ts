import { levelOf } from './show-level';
import { param, type Patch, type ViewUrl } from './view-url';

/** Filters: short name in the address, name, caption of the chip. */
export const FILTERS: readonly (readonly [string, string, string])[] = [
  ['f', 'focus', 'Focus'],
  ['i', 'ignore', 'Ignored'],
  ['h', 'hide', 'Hidden functions'],
  ['s', 'show', 'Only functions'],
  ['sf', 'show_from', 'Starting at'],
  ['package', 'package', 'Package'],
  ['blame', 'blame', 'Held by'],
  ['tf', 'tagfocus', 'Labels'],
  ['ti', 'tagignore', 'Without labels'],
  ['type', 'type', 'Type'],
  ['where', 'where', 'Blocks'],
];

/** A parameter with one chip; labels have a chip for each value. */
export interface Setting {
  readonly alias: string;
  readonly name: string;
  readonly label: string;
  readonly kind: 'regex' | 'text' | 'flag';
}

const setting =
  (kind: Setting['kind']) =>
  ([alias, name, label]: readonly [string, string, string]): Setting => ({ alias, name, label, kind });

/** In pprof's order. */
export const SETTINGS: readonly Setting[] = [
  ...FILTERS.filter(([alias]) => !['tf', 'ti', 'where'].includes(alias)).map(setting('regex')),
  ...FILTERS.filter(([alias]) => alias === 'where').map(setting('text')),
  ...(
    [
      ['ts', 'tagshow', 'Labels shown'],
      ['th', 'taghide', 'Labels hidden'],
      ['prunefrom', 'prune_from', 'Cut below'],
    ] as const
  ).map(setting('regex')),
  ...(
    [
      ['tagroot', 'tagroot', 'Grouped by'],
      ['tagleaf', 'tagleaf', 'Split at the leaf by'],
      ['divide_by', 'divide_by', 'Divided by'],
      ['nf', 'nodefraction', 'Smallest share of a node'],
      ['ef', 'edgefraction', 'Smallest share of an edge'],
      ['hide_kind', 'hide_kind', 'Hidden'],
      ['kinds', 'kinds', 'Code ownership'],
    ] as const
  ).map(setting('text')),
  ...(
    [
      ['noinlines', 'noinlines', 'Inlined frames merged'],
      ['collapse_recursion', 'collapse_recursion', 'Recursion collapsed'],
      ['culprit', 'culprit', 'Charged to my code'],
      ['norm', 'normalize', 'Scaled to the baseline'],
      ['rel', 'relative_percentages', 'Percentages of what is shown'],
      ['mean', 'mean', 'Mean size'],
      ['dropneg', 'drop_negative', 'Negative values dropped'],
      ['calltree', 'call_tree', 'One node per call path'],
      ['showcolumns', 'showcolumns', 'Source columns'],
    ] as const
  ).map(setting('flag')),
];

const LEVEL_FIELDS: readonly string[] = ['hide_kind', 'culprit'];

/** Whether the Show control already displays a setting: it has no chip of its own. */
export function belongsToLevel(name: string, url: ViewUrl): boolean {
  return LEVEL_FIELDS.includes(name) && levelOf(url) !== undefined;
}

/** The change that trims small frames again; empty where the address does not turn trimming off. */
export function untrimmedPatch(url: ViewUrl): Patch {
  const zero = ['nf', 'ef', 'n'].filter((alias) => param(url, alias) !== '' && Number(param(url, alias)) === 0);
  return zero.includes('nf') ? Object.fromEntries(zero.map((alias) => [alias, ''])) : {};
}

/** The change that removes every filter, but keeps the level of frames. */
export function noFilters(url: ViewUrl): Patch {
  const names = [...FILTERS.map(([alias]) => alias), ...SETTINGS.map((s) => s.alias)];
  return Object.fromEntries(names.filter((alias) => !belongsToLevel(alias, url)).map((alias) => [alias, '']));
}

/** Whether any filter excludes stacks. */
export function hasFilters(url: ViewUrl): boolean {
  return FILTERS.some(([alias]) => param(url, alias) !== '');
}

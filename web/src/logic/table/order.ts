/** Order of a table as in the address and the API: `cum`, or `-cum` for the reverse. */

export const SORT_KEYS = [
  'flat',
  'cum',
  'base',
  'cumbase',
  'delta',
  'cumdelta',
  'objects',
  'ownobjects',
  'mean',
  'lifetime',
  'reads',
  'writes',
  'grown',
  'shrunk',
  'owngrown',
  'ownshrunk',
  'name',
  'place',
  'package',
  'type',
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Order {
  readonly key: SortKey;
  readonly reversed: boolean;
}

/** Parses an order; undefined if it is invalid. */
export function readOrder(text: string): Order | undefined {
  const reversed = text.startsWith('-');
  const key = SORT_KEYS.find((k) => k === (reversed ? text.slice(1) : text));
  return key === undefined ? undefined : { key, reversed };
}

/** Order of a text; `fallback` if it is unknown. */
export function parseOrder(text: string, fallback: SortKey): Order {
  return readOrder(text) ?? { key: fallback, reversed: false };
}

export function printOrder(order: Order): string {
  return (order.reversed ? '-' : '') + order.key;
}

/** The order in force: the address's own, else pprof's `sort`, else by flat or, with a base, by change. */
export function orderOf(order: string, sort: string, hasBase: boolean): Order {
  const usual: SortKey = sort === 'cum' ? (hasBase ? 'cumdelta' : 'cum') : hasBase ? 'delta' : 'flat';
  return parseOrder(order, usual);
}

/** Values in the address after a click on a column; empty for the server's default order. */
export function orderAfterClick(old: Order, clicked: string, hasBase: boolean): { readonly sort: string; readonly order: string } {
  const { key } = parseOrder(clicked, 'flat');
  const next: Order = { key, reversed: old.key === key && !old.reversed };
  const isDefault = !next.reversed && key === (hasBase ? 'delta' : 'flat');
  // Where pprof has a name for the order, the address uses it.
  const asSort = !next.reversed && !hasBase && key === 'cum';
  return { sort: asSort ? 'cum' : '', order: isDefault || asSort ? '' : printOrder(next) };
}

/** `aria-sort` of a column: numbers start with the largest, text with A. */
export function sortedState(order: Order, key: SortKey): 'ascending' | 'descending' | 'none' {
  if (order.key !== key) return 'none';
  return order.reversed === (key === 'name' || key === 'place' || key === 'package' || key === 'type') ? 'descending' : 'ascending';
}

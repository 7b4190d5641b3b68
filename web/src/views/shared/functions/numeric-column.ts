import type { ComponentChildren } from 'preact';
import type { Header, TopReport } from '../../../api/types';
import { numberAt } from '../../../logic/number-at';
import { sortedState, type Order, type SortKey } from '../../../logic/table/order';
import { rowAt, runningSums, type Pages, type PlacedRow } from '../../../logic/table/row-pages';
import type { Column } from '../../../ui/table/column';

/** Input of the columns. */
export interface TopContext {
  readonly header: Header;
  readonly pages: Pages;
  readonly order: Order;
}

/** Page → its running sums, computed on first use. */
const sums = new WeakMap<TopReport, Float64Array>();

export function sumAt({ page, i }: PlacedRow): number {
  const known = sums.get(page) ?? runningSums(page);
  sums.set(page, known);
  return numberAt(known, i);
}

/** A cell of the row at `at`; empty until its page is there. */
export function cellOf(pages: Pages, show: (placed: PlacedRow) => ComponentChildren): (at: number) => ComponentChildren {
  return (at) => {
    const placed = rowAt(pages, at);
    return placed === undefined ? null : show(placed);
  };
}

export interface Numeric {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly width: number;
  readonly spare?: number | undefined;
  readonly sort?: SortKey;
  readonly show: (placed: PlacedRow) => ComponentChildren;
}

export function numeric({ pages, order }: TopContext, { key, label, hint, width, spare, sort, show }: Numeric): Column {
  const column = { key: sort ?? key, label, hint, width, spare, align: 'right' as const, cell: cellOf(pages, show) };
  return sort === undefined ? column : { ...column, sorted: sortedState(order, sort) };
}

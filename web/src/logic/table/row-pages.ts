import type { Row, TopReport } from '../../api/types';
import { functionOf } from '../names/names';

/** Rows per page of a long table. */
export const PAGE_ROWS = 200;
/** Pages kept: 20,000 rows. */
const KEPT = 100;

/** Page number → its rows, for pages that were loaded. */
export type Pages = ReadonlyMap<number, TopReport>;

/** A row and the page that has its numbers. */
export interface PlacedRow {
  readonly page: TopReport;
  /** Number in the page. */
  readonly i: number;
  readonly row: Row;
}

export function rowAt(pages: Pages, at: number): PlacedRow | undefined {
  const page = pages.get(Math.floor(at / PAGE_ROWS));
  const i = at % PAGE_ROWS;
  const row = page?.row[i];
  return page === undefined || row === undefined ? undefined : { page, i, row };
}

/** Pages that rows `first..last` need and that are not there. */
export function missingPages(pages: Pages, first: number, last: number, n: number): readonly number[] {
  const from = Math.floor(first / PAGE_ROWS);
  const to = Math.ceil(Math.min(last, n) / PAGE_ROWS);
  return Array.from({ length: Math.max(0, to - from) }, (_, k) => from + k).filter((k) => !pages.has(k));
}

/** Adds a page; drops those farthest from it if there are too many, except the first. */
export function withPage(pages: Pages, number: number, page: TopReport): Pages {
  const next = new Map(pages).set(number, page);
  if (next.size > KEPT) {
    const farthest = [...next.keys()].reduce((far, k) => (k !== 0 && Math.abs(k - number) > Math.abs(far - number) ? k : far), number);
    next.delete(farthest);
  }
  return next;
}

/** First loaded row of the function; −1 for none. */
export function rowOfFunction(pages: Pages, name: string): number {
  for (const number of [...pages.keys()].sort((a, b) => a - b)) {
    const at = pages.get(number)?.row.findIndex((row) => functionOf(row) === name) ?? -1;
    if (at >= 0) return number * PAGE_ROWS + at;
  }
  return -1;
}

/** Running sum of flat (value − base) up to each row of a page. */
export function runningSums(page: TopReport): Float64Array {
  let sum = page.sum_before;
  return Float64Array.from(page.flat, (flat, i) => (sum += flat - (page.flat_base[i] ?? 0)));
}

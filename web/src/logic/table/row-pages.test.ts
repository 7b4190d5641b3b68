import { describe, expect, it } from 'vitest';
import type { TopReport } from '../../api/types';
import { HEADER } from '../flame/fixture';
import { NO_ROW } from '../names/names';
import { missingPages, PAGE_ROWS, rowAt, rowOfFunction, runningSums, withPage, type Pages } from './row-pages';

function page(number: number, names: readonly string[]): TopReport {
  const zeros = names.map(() => 0);
  return {
    header: HEADER,
    row: names.map((name) => ({ ...NO_ROW, name })),
    flat: names.map((_, i) => i + 1),
    cum: zeros,
    flat_base: [],
    cum_base: [],
    inlining: [],
    flat_companion: [],
    cum_companion: [],
    flat_spread: [],
    cum_spread: [],
    flat_gross: [],
    cum_gross: [],
    mean_size: [],
    mean_lifetime: [],
    reads_per_byte: [],
    writes_per_byte: [],
    lifetime_unit: '',
    offset: number * PAGE_ROWS,
    n_found: 0,
    type: [],
    sum_before: 100,
  };
}

const pages: Pages = new Map([
  [0, page(0, ['a', 'b'])],
  [3, page(3, ['c', 'd'])],
]);

describe('pages of rows', () => {
  it('have rows at the requested positions', () => {
    expect(rowAt(pages, 1)?.row.name).toBe('b');
    expect(rowAt(pages, 3 * PAGE_ROWS)?.row.name).toBe('c');
    expect(rowAt(pages, PAGE_ROWS)).toBeUndefined();
    expect(rowOfFunction(pages, 'd')).toBe(3 * PAGE_ROWS + 1);
    expect(rowOfFunction(pages, 'missing')).toBe(-1);
  });
  it('are requested if they are missing', () => {
    expect(missingPages(pages, PAGE_ROWS - 5, PAGE_ROWS * 3 + 5, 100_000)).toEqual([1, 2]);
    expect(missingPages(pages, 0, 50, 2)).toEqual([]);
  });
  it('go when they are too many, the farthest first', () => {
    let many = pages;
    for (let k = 0; k < 120; k++) many = withPage(many, k, page(k, ['x']));
    expect(many.size).toBe(100);
    expect([many.has(0), many.has(1), many.has(119)]).toEqual([true, false, true]);
  });
  it('go on with the sum of those before', () => {
    expect([...runningSums(page(1, ['a', 'b']))]).toEqual([101, 103]);
  });
});

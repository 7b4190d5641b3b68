import { describe, expect, it } from 'vitest';
import type { TopReport } from '../api/types';
import { matchesFirst, parseOrder, printOrder, runningSums, sortRows } from './sort-rows';

const report = {
  row: ['b', 'a', '', 'c'].map((name, i) => ({ name, full_name: '', file: i === 0 ? 'x.rs' : '', line: i, object: '' })),
  flat: [1, -5, 3, 0],
  cum: [9, 8, 7, 6],
  flat_base: [1, 0, 9, 0],
  cum_base: [0, 0, 0, 6],
  inlining: [],
  flat_companion: [],
  cum_companion: [],
  offset: 0,
  n_found: 0,
  sum_before: 0,
} satisfies Omit<TopReport, 'header'>;
// Only the columns matter to sorting.
const sorted = (order: string): number[] => [...sortRows(Object.assign(Object.create(null), report), parseOrder(order, 'flat'))];

describe('sortRows', () => {
  it.each([
    ['flat', [1, 2, 0, 3]],
    ['cum', [0, 1, 2, 3]],
    ['delta', [2, 1, 0, 3]],
    ['cumdelta', [0, 1, 2, 3]],
    ['base', [2, 0, 1, 3]],
    ['name', [1, 0, 3, 2]],
    ['-name', [2, 3, 0, 1]],
    ['place', [0, 1, 2, 3]],
    ['nonsense', [1, 2, 0, 3]],
  ])('by %s', (order, rows) => {
    expect(sorted(order)).toEqual(rows);
  });
  it('reads what it prints', () => {
    for (const text of ['flat', '-name', 'cumdelta']) expect(printOrder(parseOrder(text, 'flat'))).toBe(text);
  });
  it('sums in the order shown', () => {
    expect([...runningSums(Object.assign(Object.create(null), report), Uint32Array.from([1, 0, 2]))]).toEqual([-5, -5, -11]);
  });
  it('puts matches first', () => {
    expect([...matchesFirst(Uint32Array.from([3, 1, 0, 2]), Uint8Array.from([1, 0, 0, 1]))]).toEqual([3, 0, 1, 2]);
  });
});

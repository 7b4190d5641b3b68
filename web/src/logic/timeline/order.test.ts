import { describe, expect, it } from 'vitest';
import { growthReport, growthRow, recordingReport } from './fixture';
import { afterClick, growthOrder, ordered, sortedAs, usualOrder } from './order';

const report = growthReport([
  growthRow('c', [1, 9, 3], 'leak', 1),
  growthRow('a', [5, 0, 8], 'noise', 3),
  growthRow('b', [0, 4, 4], 'noise', 2),
]);
const names = (text: string, between = { base: 0, shown: 2 }) =>
  ordered(report, growthOrder(text), between).map((i) => report.row[i]?.row.name);

describe('the order of what grows', () => {
  it('is the server’s, or a column’s', () => {
    expect(names('')).toEqual(['c', 'a', 'b']);
    expect(names('-rank')).toEqual(['b', 'a', 'c']);
    expect(names('name')).toEqual(['a', 'b', 'c']);
    expect(names('slope')).toEqual(['a', 'b', 'c']);
    expect(names('-slope')).toEqual(['c', 'b', 'a']);
    expect(names('peak')).toEqual(['c', 'a', 'b']);
    expect(names('nonsense')).toEqual(['c', 'a', 'b']);
  });

  it('by change is between the two dumps that are compared', () => {
    expect(names('change')).toEqual(['b', 'a', 'c']);
    expect(names('change', { base: 0, shown: 1 })).toEqual(['c', 'b', 'a']);
  });

  it('reverses at the second click, and reports the direction', () => {
    expect(afterClick(growthOrder(''), 'slope')).toBe('slope');
    expect(afterClick(growthOrder('slope'), 'slope')).toBe('-slope');
    expect(afterClick(growthOrder('slope'), 'rank')).toBe('');
    expect(sortedAs(growthOrder('slope'), 'slope')).toBe('descending');
    expect(sortedAs(growthOrder('name'), 'name')).toBe('ascending');
    expect(sortedAs(growthOrder('name'), 'slope')).toBe('none');
  });
});

it('a recording is ordered by its peaks unless the address names a column', () => {
  const rows = [growthRow('a', [1, 2, 3])];
  const usual = usualOrder(recordingReport(rows, [1, 2, 3]));
  expect([usual.key, usualOrder(growthReport(rows)).key]).toEqual(['peak', 'rank']);
  expect([
    afterClick(usual, 'rank', usual.key),
    afterClick(growthOrder('rank'), 'peak', usual.key),
    afterClick(usual, 'peak', usual.key),
  ]).toEqual(['rank', '', '-peak']);
});

import { expect, test } from 'vitest';
import { growingRows, growthNotes } from './growing';
import { growthReport, growthRow } from './timeline-fixture';

const value = (v: number): string => `${v} B`;
const series = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);

test('few dumps are listed by what grew from first to last', () => {
  const rows = [{ ...growthRow('a', series(3), 'unknown'), share: 0.8 }, growthRow('b', [3, 2, 1], 'unknown')];
  const report = growthReport(rows);
  expect(growingRows(report).map(({ row }) => row.name)).toEqual(['a']);
  expect(growthNotes(report, value)).toEqual([
    'Largest differences from first to last; at least 5 dumps are needed to tell a leak from a cache filling up.',
  ]);
});

test('of many dumps leaks and steps are listed', () => {
  const report = growthReport([growthRow('a', series(6), 'leak'), growthRow('b', series(6), 'step'), growthRow('c', series(6))]);
  expect(growingRows(report).map(({ row }) => row.name)).toEqual(['a', 'b']);
  expect(growthNotes(report, value)).toEqual([]);
});

test('the dump at exit and what is unknown are said', () => {
  const at_exit = { dump: 6, name: '/d/app.0007.heap', at: 6, time_nanos: 0, total: 5 };
  const [exit = '', lost = ''] = growthNotes(growthReport([growthRow('a', series(6))], { at_exit, uncertain: 9 }), value);
  expect(exit).toContain('app.0007.heap was probably written at exit (5 B in use)');
  expect(lost).toContain('uncertain by up to 9 B');
});

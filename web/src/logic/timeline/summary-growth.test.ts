import { expect, test } from 'vitest';
import { growingRows, growthNotes, nCounted, withExit } from './summary-growth';
import { growthReport, growthRow, recordingReport, trend } from './fixture';
import { whenOf } from './text';

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

test('the dump at exit and unknown stacks are noted', () => {
  const at_exit = { dump: 6, name: '/d/app.0007.heap', at: 6, time_nanos: 0, total: 5 };
  const [exit = '', lost = ''] = growthNotes(growthReport([growthRow('a', series(6))], { at_exit, uncertain: 9 }), value);
  expect(exit).toContain('app.0007.heap is a dump at exit: the total fell to 5 B at once');
  expect(lost).toContain('uncertain by up to 9 B');
});

test('lists the dump at exit behind the others, without counting it', () => {
  const at_exit = { dump: 6, name: '/d/app.0007.heap', at: 6, time_nanos: 0, total: 8 };
  const report = growthReport([{ ...growthRow('a', series(6)), at_exit: 5 }], { at_exit, rest_at_exit: 3 });
  const all = withExit(report);
  expect(all.dump.map(({ dump }) => dump)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(all.row[0]?.value.at(-1)).toBe(5);
  expect(all.rest.at(-1)).toBe(3);
  expect([nCounted(report), nCounted(all)]).toEqual([6, 6]);
  expect(whenOf(all, 6)).toContain('(dump at exit)');
  expect(whenOf(all, 5)).not.toContain('exit');
  expect(withExit(growthReport([growthRow('a', series(6))])).dump).toHaveLength(6);
});

test('no more rows are listed than fit', () => {
  const rows = Array.from({ length: 8 }, (_, i) => growthRow(`f${i}`, series(6), 'leak'));
  expect(growingRows(growthReport(rows))).toHaveLength(5);
});

test('what hardly matters beside the peak of a recording does not grow', () => {
  const rows = [growthRow('small', [0, 5, 9], 'leak'), growthRow('large', [0, 400, 500], 'step')];
  const recording = recordingReport(rows, [1, 2, 3], { fewest: 2, total: trend({ peak: 1000 }) });
  expect(growingRows(recording).map(({ row }) => row.name)).toEqual(['large']);
  expect(growingRows({ ...growthReport(rows), fewest: 2 }).map(({ row }) => row.name)).toEqual(['small', 'large']);
});

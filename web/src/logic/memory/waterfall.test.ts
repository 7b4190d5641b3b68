import { expect, test } from 'vitest';
import type { MemoryBar, MemorySeries } from '../../api/types';
import { axisEnd, barClass, beginText, columnsOf, legendOf, placesOf, sourceText } from './waterfall';

function bar(part: MemoryBar['part'], start: number, bytes: number, isKnown = true): MemoryBar {
  return { part, name: part, start, bytes, is_known: isKnown, formula: '', source: [], advice: '' };
}

test('bars follow one another, and negative ones go back', () => {
  const bars = [bar('live', 0, 60), bar('fragmentation', 60, 40), bar('never_touched', 100, -20), bar('files', 80, 0)];
  const waterfall = { bar: bars, rss: 80 };
  expect(axisEnd(waterfall)).toBe(100);
  expect(placesOf(waterfall)).toEqual([
    { left: 0, width: 60 },
    { left: 60, width: 40 },
    { left: 80, width: 20 },
    { left: 80, width: 0 },
  ]);
  expect(placesOf({ bar: [bar('live', 0, -5)], rss: 0 })).toEqual([{ left: 0, width: 0.4 }]);
});

test('what is not known is hatched', () => {
  expect(barClass(bar('live', 0, 1))).toBe('memory-live');
  expect(barClass(bar('untracked', 0, 1))).toBe('memory-untracked');
  expect(barClass(bar('allocator_rest', 0, 1, false))).toBe('memory-allocator memory-unknown');
  expect(barClass(bar('never_touched', 9, -1))).toBe('memory-negative');
});

test('columns of a series are as high as its RSS', () => {
  const series: MemorySeries = {
    dump: [0, 1],
    name: ['a', 'b'],
    time_nanos: [0, 0],
    rss: [50, 100],
    band: [
      { part: 'live', name: 'In use', bytes: [60, 90] },
      { part: 'never_touched', name: 'Never touched', bytes: [-20, -10] },
      { part: 'files', name: 'Files', bytes: [10, 20] },
    ],
  };
  const heights = columnsOf(series).map((column) => column.map(({ height }) => height));
  expect(heights[1]?.reduce((all, height) => all + height)).toBe(100);
  // 60 are drawn before 20 of them turn out not to be resident.
  expect(heights[0]).toEqual([60, 0, 0, 0, 0, 0, 0]);
  expect(legendOf(series).map(({ name }) => name)).toEqual(['In use', 'Rest of the allocator', 'Outside of the allocator']);
});

test('sources say when they were captured', () => {
  const source = { name: 'a/smaps', content: 'smaps', pid: 7, time_nanos: 0, is_file_time: true };
  expect(sourceText(source)).toBe('smaps: smaps, process 7, time unknown');
});

test('another value type than the one shown is named', () => {
  expect(beginText({ value_type: 'inuse_space', value_note: '' }, 'inuse_space')).toBe('');
  expect(beginText({ value_type: 'inuse_space', value_note: 'in use at the end, after 3s' }, 'peak_space')).toBe(
    ', from inuse_space (in use at the end, after 3s)',
  );
});

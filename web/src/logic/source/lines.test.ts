import { expect, test } from 'vitest';
import type { SourceEntry } from '../../api/types';
import { byWeight, chosenEntry, firstLine, heatOf, hotLines, nextHot, parseLines, sourceRows, toggleLine, widestLine } from './lines';

function entry(changes: Partial<SourceEntry>, weights: readonly (readonly [number, number])[]): SourceEntry {
  return {
    name: 'f',
    full_name: 'f',
    file: 'a.rs',
    object: 'shop',
    flat: 0,
    cum: 0,
    flat_base: 0,
    cum_base: 0,
    first_line: 1,
    last_line: 9,
    lines: {
      number: weights.map(([n]) => n),
      text: weights.map(([n]) => `\tline ${n}`),
      flat: weights.map(() => 0),
      cum: weights.map(([, cum]) => cum),
      flat_base: [],
      cum_base: [],
    },
    call: [],
    step: [],
    code: [],
    problem: '',
    path: '',
    ...changes,
  };
}

const PLAIN = entry({}, [
  [3, 0],
  [4, 1000],
  [5, 5],
  [9, 400],
]);

test('hot lines hold a hundredth of the heaviest, and n and p go round', () => {
  expect(hotLines(PLAIN)).toEqual([1, 3]);
  expect(nextHot(PLAIN, 4, 1)).toBe(9);
  expect(nextHot(PLAIN, 9, 1)).toBe(4);
  expect(nextHot(PLAIN, 9, -1)).toBe(4);
  expect(nextHot(PLAIN, 3, -1)).toBe(9);
  expect(nextHot(entry({}, [[1, 0]]), 1, 1)).toBeUndefined();
});

test('what shrank is hot as well', () => {
  const lines = { ...PLAIN.lines, cum_base: [0, 1000, 0, 4000], flat_base: [0, 0, 0, 0] };
  const diff = entry({ lines }, []);
  expect(hotLines(diff)).toEqual([3]);
  expect(firstLine(diff)).toBe(9);
});

test('heat goes from nothing to the heaviest in five steps', () => {
  expect([0, 1, 200, 201, 1000, -1000].map((v) => heatOf(v, 1000))).toEqual([0, 1, 1, 2, 5, 5]);
  expect(heatOf(5, 0)).toBe(0);
});

test('rows are lines, gaps between them, and the calls of open lines', () => {
  const step = { line: 4, depth: 0, call: 0, inlined: true, value: 7, base: 0 };
  const open = sourceRows({ ...PLAIN, step: [step] }, new Set([4]));
  expect(open.map((row) => row.kind)).toEqual(['line', 'line', 'step', 'line', 'gap', 'line']);
  expect(open[4]).toEqual({ kind: 'gap', n: 3 });
  expect(sourceRows({ ...PLAIN, step: [step] }, new Set()).filter((row) => row.kind === 'step')).toEqual([]);
  // A line that is not known is no beginning of the file.
  expect(
    sourceRows(
      entry({}, [
        [0, 1],
        [40, 2],
      ]),
      new Set(),
    ).map((row) => row.kind),
  ).toEqual(['line', 'line']);
});

test('the address names the entry: function and file, then function, then file, then the heaviest', () => {
  const entries = byWeight([
    entry({ name: 'a', cum: 1 }, []),
    entry({ name: 'b', cum: 3 }, []),
    entry({ name: 'b', file: 'b.rs', cum: -5 }, []),
  ]);
  expect(entries.map((e) => `${e.name} ${e.file}`)).toEqual(['b b.rs', 'b a.rs', 'a a.rs']);
  expect(chosenEntry(entries, 'b', 'a.rs')?.cum).toBe(3);
  expect(chosenEntry(entries, 'a', 'x.rs')?.cum).toBe(1);
  expect(chosenEntry(entries, '', 'a.rs')?.cum).toBe(3);
  expect(chosenEntry(entries, 'gone', '')?.cum).toBe(-5);
  expect(chosenEntry([], 'a', '')).toBeUndefined();
});

test('open lines are in the address', () => {
  expect([...parseLines('3,x,-1,7,')]).toEqual([3, 7]);
  expect(toggleLine(parseLines('3,7'), 5)).toBe('3,5,7');
  expect(toggleLine(parseLines('3,7'), 7)).toBe('3');
  expect(toggleLine(parseLines('3'), 3)).toBe('');
});

test('tabs count as four', () => {
  expect(widestLine(PLAIN)).toBe('    line 3'.length);
});

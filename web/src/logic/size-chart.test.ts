import { describe, expect, test } from 'vitest';
import type { Header, SizeClass, SizesReport, SizeSum } from '../api/types';
import { barsOf, classLabel, classRange, edgesOf, heaviest, largestOf, measureOf, nextFull, scaleOf } from './size-chart';

function sum(bytes: number, objects: number, bytesBase = 0): SizeSum {
  return { bytes, objects, bytes_base: bytesBase, objects_base: 0 };
}

function sizeClass(low: number, high: number, parts: readonly number[], rest: number): SizeClass {
  const all = parts.reduce((a, b) => a + b, rest);
  return {
    low,
    high,
    sum: sum(all, all / 8),
    part: parts.map((bytes, row) => ({ row, sum: sum(bytes, bytes / 8) })),
    rest: sum(rest, rest / 8),
    n_rest: rest > 0 ? 2 : 0,
  };
}

function report(classes: readonly SizeClass[], valueType = 'inuse_space'): SizesReport {
  const header: Header = Object.assign(Object.create(null), { value_type: valueType });
  return {
    header,
    from: 'label',
    bytes_type: 'inuse_space',
    bytes_unit: 'bytes',
    bytes_total: 0,
    objects_type: 'inuse_objects',
    objects_total: 0,
    row: [],
    class: classes,
    unsized: sum(0, 0),
  };
}

describe('histogram of sizes', () => {
  test('classes in words and as filters', () => {
    const words = [
      [1, 8],
      [49, 64],
      [0, 0],
      [897, 1024],
      [1025, 1280],
      [917_505, 1_048_576],
    ].map(([low = 0, high = 0]) => classLabel({ low, high }));
    expect(words).toEqual(['1–8 B', '49–64 B', '0 B', '897 B – 1 KiB', '1–1.25 KiB', '896 KiB – 1 MiB']);
    expect(classRange({ low: 17, high: 24 })).toBe('17b:24b');
    expect(classRange({ low: 0, high: 0 })).toBe('0b');
  });

  test('what is drawn is what is shown', () => {
    expect(measureOf(report([]))).toBe('bytes');
    expect(measureOf(report([], 'inuse_objects'))).toBe('objects');
  });

  test('pieces stack up to their bar, on either scale', () => {
    const classes = [sizeClass(1, 8, [600, 200], 200), sizeClass(9, 16, [], 0), sizeClass(17, 24, [100], 0)];
    for (const log of [false, true]) {
      const scale = scaleOf(1000, 'bytes', log);
      const bars = barsOf(report(classes), 'bytes', scale);
      expect(bars.map((b) => b.pieces.length)).toEqual([3, 0, 1]);
      expect(bars[0]?.height).toBeCloseTo(1);
      for (const bar of bars) {
        expect(bar.pieces.reduce((h, p) => h + p.height, 0)).toBeCloseTo(bar.height);
        expect(
          bar.pieces.every(
            (p, i) => i === 0 || Math.abs(p.bottom - ((bar.pieces[i - 1]?.bottom ?? 0) + (bar.pieces[i - 1]?.height ?? 0))) < 1e-9,
          ),
        ).toBe(true);
      }
      expect(bars[0]?.pieces.map((p) => p.row)).toEqual([0, 1, -1]);
    }
  });

  test('scales have few ticks, at round values', () => {
    expect(scaleOf(300_000, 'bytes', false).ticks.map((t) => t.label)).toEqual(['0 B', '64 KiB', '128 KiB', '192 KiB', '256 KiB']);
    expect(scaleOf(44_000, 'objects', false).ticks.map((t) => t.label)).toEqual(['0', '10,000', '20,000', '30,000', '40,000']);
    for (const largest of [0, 1, 7, 1e3, 1e9, 9e15])
      for (const log of [false, true]) {
        const { ticks, at } = scaleOf(largest, 'objects', log);
        expect(ticks.length).toBeLessThanOrEqual(6);
        expect(ticks.every((t) => t.at >= 0 && t.at <= 1)).toBe(true);
        expect(at(0)).toBe(0);
        expect(at(-5)).toBe(0);
        expect(at(Math.max(1, largest))).toBeCloseTo(1);
      }
  });

  test('a negative value has no bar', () => {
    const bars = barsOf(report([sizeClass(1, 8, [-10], 0)]), 'bytes', scaleOf(10, 'bytes', false));
    expect(bars[0]).toEqual({ height: 0, base: 0, pieces: [] });
  });

  test('arrows pass over empty classes', () => {
    const r = report([sizeClass(1, 8, [5], 0), sizeClass(9, 16, [], 0), sizeClass(17, 24, [9], 0)]);
    expect(heaviest(r, 'bytes')).toBe(2);
    expect(largestOf(r, 'bytes')).toBe(9);
    expect([nextFull(r, 0, 1), nextFull(r, 2, -1), nextFull(r, 2, 1), nextFull(r, 0, -1)]).toEqual([2, 0, 2, 0]);
  });

  test('edges are labelled where there is room', () => {
    const classes = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128].map((high) => ({ low: 1, high }));
    expect(edgesOf(classes, 60)).toHaveLength(12);
    expect(edgesOf(classes, 30, 60).map((e) => e.size)).toEqual([16, 64]);
    expect(edgesOf(classes, 15, 60).map((e) => e.size)).toEqual([16, 64]);
  });
});

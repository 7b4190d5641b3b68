import { describe, expect, it } from 'vitest';
import {
  formatDelta,
  formatExact,
  formatGrowth,
  formatPercent,
  formatShare,
  formatTime,
  formatValue,
  plural,
  valueTypeLabel,
  formatHeapShare,
  formatPart,
} from './format';

describe('formatValue', () => {
  it.each([
    [0, 'bytes', 'auto', '0 B'],
    [1, 'bytes', 'auto', '1 B'],
    [1023, 'bytes', 'minimum', '1,023 B'],
    [1024, 'bytes', 'auto', '1.00 KiB'],
    [1_204_224, 'bytes', 'auto', '1.15 MiB'],
    [-36_238_320, 'bytes', 'auto', '−34.6 MiB'],
    [1023 * 1024, 'bytes', 'auto', '1.00 MiB'],
    [5, 'kB', 'auto', '5.00 KiB'],
    [1_500_000, 'nanoseconds', 'auto', '1.50 ms'],
    [12_402, 'count', 'auto', '12,402'],
    [7, 'widgets', 'MB', '7'],
    [1024, 'bytes', 'MB', '0.00 MiB'],
    [3 * 2 ** 30, 'bytes', 'MB', '3,072.00 MiB'],
    [2048, 'bytes', 'B', '2,048 B'],
  ])('%d %s in %s is %s', (value, unit, output, text) => {
    expect(formatValue(value, unit, output)).toBe(text);
  });
});

describe('around values', () => {
  it('spells every byte out', () => {
    expect(formatExact(1_204_224, 'bytes')).toBe('1,204,224 bytes');
    expect(formatExact(1, 'bytes')).toBe('1 byte');
    expect(formatExact(12, 'count')).toBe('12');
  });
  it('signs every difference', () => {
    expect([1536, -1536, 0].map((v) => formatDelta(v, 'bytes'))).toEqual(['+1.50 KiB', '−1.50 KiB', '±0']);
  });
  it('prints shares', () => {
    expect(
      [
        [38, 100],
        [1, 100_000],
        [0, 5],
        [5, 0],
        [1, 1],
      ].map(([v = 0, t = 0]) => formatPercent(v, t)),
    ).toEqual(['38.0%', '< 0.1%', '0%', '–', '100.0%']);
    expect(formatShare(1, 3)).toBe('33.33%');
    expect(formatShare(1, 0)).toBe('');
  });
  it('shows growth in percent', () => {
    expect(
      [
        [2, 1],
        [0, 1],
        [1, 0],
        [3, 3],
        [95, 100],
      ].map(([v = 0, b = 0]) => formatGrowth(v, b)),
    ).toEqual(['+100%', 'gone', 'new', 'unchanged', '−5.0%']);
  });
  it('prints times and words', () => {
    expect(formatTime(0)).toBe('');
    expect(formatTime(Date.UTC(2026, 10, 20, 12) * 1e6)).toMatch(/^2026-11-2\d \d\d:00$/);
    expect(plural(1, 'dump')).toBe('1 dump');
    expect(plural(2, 'address', 'addresses')).toBe('2 addresses');
    expect(valueTypeLabel('inuse_space')).toBe('In use (bytes)');
    expect(valueTypeLabel('wall_time')).toBe('wall time');
  });
});

describe('formatHeapShare', () => {
  it('has no share of a dump without memory', () => {
    expect(formatHeapShare(0, 0)).toBe('');
    expect(formatHeapShare(5, 5)).toBe('100% of heap');
    expect(formatHeapShare(1, 4)).toBe('25.0% of heap');
    expect(formatHeapShare(0, 4)).toBe('0% of heap');
    expect(formatHeapShare(-87, 100)).toBe('');
  });
});

describe('formatPart', () => {
  it('gives no share of what is no part of the whole', () => {
    expect(formatPart(1, 4)).toBe('25.0%');
    expect(formatPart(-1, -4)).toBe('25.0%');
    expect(formatPart(-102, 100)).toBe('');
    expect(formatPart(5, 4)).toBe('');
  });
});

import { describe, expect, it } from 'vitest';
import { growthReport, growthRow, trend, recordingReport } from './fixture';
import { formatSlope, isLimit, isSure, lengthBetween, limitSentence, paceOf, sinceOf, whenOf, placeWord } from './text';

const MIB = 1024 * 1024;
const report = growthReport([growthRow('a', [1, 2, 3])], {}, 3600);

describe('slopes', () => {
  it('are given per unit that fits the series', () => {
    const pace = (every: number, axis = 's') => paceOf(growthReport([growthRow('a', [1, 2, 3])], { axis }, every)).name;
    expect([pace(10), pace(600), pace(36_000), pace(200_000), pace(60, 'dump')]).toEqual(['s', 'min', 'h', 'd', 'dump']);
  });

  it('have a sign, an error and one unit', () => {
    const pace = paceOf(growthReport([growthRow('a', [1, 2, 3])], {}, 36_000));
    const slope = { slope: (1.5 * MIB) / 3600, slope_low: MIB / 3600, slope_high: (2 * MIB) / 3600, shape: 'leak' as const };
    expect(formatSlope(slope, 'bytes', pace)).toBe('+1.50 ± 0.50 MiB/h');
    expect(formatSlope({ slope: (80 * MIB) / 3600, slope_low: 0, slope_high: (9 * MIB) / 3600, shape: 'leak' }, 'bytes', pace)).toBe(
      '+80.0 ± 4.5 MiB/h',
    );
    expect(formatSlope({ slope: -5 / 3600, slope_low: -5 / 3600, slope_high: -5 / 3600, shape: 'leak' }, 'bytes', pace)).toBe('−5 B/h');
    expect(formatSlope({ slope: 0, slope_low: 0, slope_high: 0, shape: 'flat' }, 'bytes', pace)).toBe('±0');
  });

  it('keep parts of objects', () => {
    const slope = { slope: 0.25, slope_low: 0.2, slope_high: 0.3, shape: 'leak' as const };
    expect(formatSlope(slope, 'count', { size: 1, name: 'dump' })).toBe('+0.25 ± 0.05/dump');
  });

  it('are certain when the interval is on one side', () => {
    expect(isSure(trend({ shape: 'leak', slope_low: 1, slope_high: 2 }))).toBe(true);
    expect(isSure(trend({ shape: 'leak', slope_low: -1, slope_high: 2 }))).toBe(false);
    expect(isSure(trend({ shape: 'unknown', slope_low: 1, slope_high: 1 }))).toBe(false);
  });
});

describe('moments of a recording in words', () => {
  const recording = recordingReport([growthRow('a', [1, 3, 2])], [22, 118, 251]);
  it('have times, not numbers', () => {
    expect([0, 1, 2].map((at) => whenOf(recording, at))).toEqual(['22 ms', '118 ms (peak)', '251 ms (end)']);
    expect(sinceOf(recording, 0)).toBe('22 ms');
    expect(lengthBetween(recording, 0, 1)).toBe('96 ms');
    expect(placeWord(recording, 1)).toBe('moment 2 of 3');
    expect(paceOf(recording).name).toBe('ms');
  });
});

describe('dumps in words', () => {
  it('show when', () => {
    expect(whenOf(report, 1)).toBe('2026-11-20 13:00');
    expect(sinceOf(report, 1)).toBe('2 · 13:00');
    const blind = { ...report, dump: report.dump.map((d) => ({ ...d, time_nanos: 0 })) };
    expect(whenOf(blind, 1)).toBe('1 h after the first');
    expect(whenOf({ ...blind, axis: 'dump' }, 1)).toBe('shop.0002.heap');
    expect(sinceOf(blind, 1)).toBe('dump 2');
  });

  it('show how far apart', () => {
    expect(lengthBetween(report, 0, 2)).toBe('2 h');
    expect(lengthBetween({ ...report, axis: 'dump' }, 0, 2)).toBe('2 dumps');
  });
});

describe('limits', () => {
  const to = (until: readonly number[], last = MIB) =>
    limitSentence({ ...report, limit: 8 * MIB, until_limit: until, total: trend({ last, slope: 1 }) });

  it('show when memory runs out, with the error', () => {
    expect(to([3600, 7200, 10_800])).toBe('At this rate, 8.00 MiB is reached in about 2 h (1 h to 3 h)');
    expect(to([3600, 7200])).toBe('At this rate, 8.00 MiB is reached in about 2 h (1 h at the earliest, or never)');
    expect(to([3600, 3600, 3600])).toBe('At this rate, 8.00 MiB is reached in about 1 h');
    const dumps = { ...report, axis: 'dump', limit: 8 * MIB, until_limit: [1, 1, 2.5], total: trend({ last: MIB, slope: 1 }) };
    expect(limitSentence(dumps)).toBe('At this rate, 8.00 MiB is reached in about 1 more dump (1 more dump to 3 more dumps)');
    expect(to([])).toBe('No growth: 8.00 MiB will not be reached');
    expect(to([], 9 * MIB)).toBe('8.00 MiB is already exceeded');
    expect(limitSentence(report)).toBe('');
  });

  it('are numbers, with a unit or without', () => {
    expect(['8GiB', '500 MB', '1.5g', '1024'].every(isLimit)).toBe(true);
    expect(['', 'much', '8 GiB or so', '-1'].some(isLimit)).toBe(false);
  });
});

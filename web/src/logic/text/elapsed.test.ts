import { expect, it } from 'vitest';
import { formatElapsed, formatNanos, momentName, withSpaces } from './elapsed';

it('times of a recording keep their milliseconds', () => {
  expect([0, 0.006, 0.118, 0.9996, 1, 12.434, 60, 65.2, 3600, 7384.9].map(formatElapsed)).toEqual([
    '0 ms',
    '6 ms',
    '118 ms',
    '1 s',
    '1 s',
    '12.434 s',
    '1 min',
    '1 min 5.2 s',
    '1 h',
    '2 h 3 min 5 s',
  ]);
  // Moments with one stamp are a nanosecond apart.
  expect(formatNanos(118_000_001)).toBe('118 ms');
});

it('a moment says what is special about it', () => {
  const at = (isPeak: boolean, isEnd: boolean) => momentName({ at_nanos: 46e6, is_peak: isPeak, is_end: isEnd });
  expect([at(false, false), at(true, false), at(false, true)]).toEqual(['46 ms', '46 ms (peak)', '46 ms (end)']);
});

it('puts spaces into times of the server', () => {
  expect(withSpaces('in use, from 46ms to 1.25s')).toBe('in use, from 46 ms to 1.25 s');
  expect(withSpaces('allocated in 3mins by f2s')).toBe('allocated in 3 mins by f2s');
});

import { expect, it } from 'vitest';
import { formatClock, formatElapsed, formatOnAxis, momentName, withSpaces } from './elapsed';

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
  expect(formatClock(118_000_001, 'time')).toBe('118 ms');
});

it('valgrind counts instructions or bytes', () => {
  expect([805, 999_499, 1_234_567, 12_345_678_901].map((at) => formatClock(at, 'instructions'))).toEqual([
    '805 instructions',
    '999 k instructions',
    '1.23 M instructions',
    '12.3 G instructions',
  ]);
  expect(formatClock(6_675_000, 'allocated_bytes')).toBe('6.37 MiB allocated');
  expect([formatOnAxis(1.5, 's'), formatOnAxis(1.5, 'Minstr'), formatOnAxis(0.5, 'MiB')]).toEqual([
    '1.5 s',
    '1.50 M instructions',
    '512.0 KiB allocated',
  ]);
});

it('a moment says what is special about it', () => {
  const at = (isPeak: boolean, isEnd: boolean) => momentName({ at: 46e6, clock: 'time', is_peak: isPeak, is_end: isEnd });
  expect([at(false, false), at(true, false), at(false, true)]).toEqual(['46 ms', '46 ms (peak)', '46 ms (end)']);
});

it('puts spaces into times of the server', () => {
  expect(withSpaces('in use, from 46ms to 1.25s')).toBe('in use, from 46 ms to 1.25 s');
  expect(withSpaces('allocated in 3mins by f2s')).toBe('allocated in 3 mins by f2s');
});

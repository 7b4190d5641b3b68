import { describe, expect, it } from 'vitest';
import { maxRows, scrollToShow, visibleRows } from './row-window';

describe('visibleRows', () => {
  it('covers the screen with some to spare, in steps', () => {
    expect(visibleRows(0, 260, 26, 1000)).toEqual({ first: 0, last: 24 });
    const far = visibleRows(26_000, 260, 26, 100_000);
    expect(far.first).toBeLessThanOrEqual(1000 - 8);
    expect(far.last).toBeGreaterThanOrEqual(1018);
    expect(visibleRows(26_000 + 20, 260, 26, 100_000)).toEqual(visibleRows(26_000 + 40, 260, 26, 100_000));
  });
  it('never exceeds maxRows', () => {
    for (let top = 0; top < 2000; top += 7) {
      const { first, last } = visibleRows(top, 611, 26, 100_000);
      expect(last - first).toBeLessThanOrEqual(maxRows(611, 26));
    }
  });
  it('stays within the table', () => {
    expect(visibleRows(0, 260, 26, 3)).toEqual({ first: 0, last: 3 });
    expect(visibleRows(9999, 260, 26, 3)).toEqual({ first: 3, last: 3 });
    expect(visibleRows(0, 260, 26, 0)).toEqual({ first: 0, last: 0 });
  });
});

describe('scrollToShow', () => {
  it('moves as little as it can', () => {
    expect(scrollToShow(2, 0, 260, 26)).toBe(0);
    expect(scrollToShow(20, 0, 260, 26)).toBe(286);
    expect(scrollToShow(2, 286, 260, 26)).toBe(52);
  });
});

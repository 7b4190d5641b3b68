import { describe, expect, it } from 'vitest';
import { moveSpan, readSpan, spanShowing, spanText, zoomSpan } from './pan-zoom';

const close = (span: readonly [number, number]): unknown => span.map((x): unknown => expect.closeTo(x, 9));

describe('spans', () => {
  it('stay inside of everything', () => {
    expect(moveSpan(0.8, 1, 0.5)).toEqual(close([0.8, 1]));
    expect(zoomSpan(0.4, 0.6, 0.01, 0.5)).toEqual([0, 1]);
  });
  it('keep what is under the pointer where it is', () => {
    const [from, to] = zoomSpan(0.2, 0.6, 2, 0.3);
    expect((0.3 - from) / (to - from)).toBeCloseTo(0.25);
  });
  it('are read as they were written', () => {
    for (const [from, to] of [
      [0.25, 0.5],
      [0, 0.001],
      [0.123456, 0.12345678],
    ] as const) {
      const read = readSpan(spanText(from, to)) ?? [0, 0];
      expect(Math.abs(read[0] - from)).toBeLessThan((to - from) / 1e4);
      expect(Math.abs(read[1] - to)).toBeLessThan((to - from) / 1e4);
    }
    expect(spanText(0, 1)).toBe('');
    expect(spanText(0, 1e-7)).not.toMatch(/e/);
  });
  it('are nothing when they are nonsense', () => {
    for (const text of ['', '0.5', '0.5-0.2', '-1-1', 'a-b', '0-2', '0-0.5-1', 'NaN-1']) expect(readSpan(text), text).toBeUndefined();
  });
});

describe('spanShowing', () => {
  it('leaves what is seen where it is', () => {
    expect(spanShowing(0.2, 0.6, 0.3, 0.4, 0)).toEqual([0.2, 0.6]);
    expect(spanShowing(0.2, 0.6, 0, 0.9, 0.1)).toEqual([0.2, 0.6]);
  });
  it('moves as little as it takes', () => {
    expect(spanShowing(0.2, 0.4, 0.5, 0.55, 0)).toEqual(close([0.35, 0.55]));
    expect(spanShowing(0.5, 0.7, 0.1, 0.15, 0)).toEqual(close([0.1, 0.3]));
  });
  it('comes closer to what is too narrow', () => {
    expect(spanShowing(0, 1, 0.5, 0.502, 0.1)).toEqual(close([0.491, 0.511]));
  });
});

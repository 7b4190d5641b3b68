import { describe, expect, it } from 'vitest';
import { eachVisible, layoutFlame, matchedSum } from './layout';
import { flame } from './fixture';
import { boxAt, stepFrom } from './hit-test';

const TREE = flame(`
  0 - 10
  1 a 6
  2 b 4
  3 a 3
  2 c 1
  1 c 2
`);

describe('layoutFlame', () => {
  const layout = layoutFlame(TREE);
  it('places children side by side from the left', () => {
    expect([...layout.x0]).toEqual([0, 0, 0, 0, 0.4, 0.6].map((x) => expect.closeTo(x)));
    expect([...layout.x1]).toEqual([1, 0.6, 0.4, 0.3, 0.5, 0.8].map((x) => expect.closeTo(x)));
    expect([...layout.end]).toEqual([6, 5, 4, 4, 5, 6]);
    expect([...layout.parent]).toEqual([-1, 0, 1, 2, 1, 0]);
    expect([...layout.boxOfRow]).toEqual([0, 1, 5, 2, 4, 3]);
  });
  it('finds the box under a point', () => {
    expect(
      [
        [0, 0.99],
        [1, 0.3],
        [1, 0.7],
        [1, 0.9],
        [2, 0.45],
        [3, 0.35],
        [9, 0],
      ].map(([d = 0, x = 0]) => boxAt(layout, d, x)),
    ).toEqual([0, 1, 5, -1, 4, -1, -1]);
  });
  it('walks by arrows', () => {
    expect(stepFrom(layout, 0, 'up')).toBe(0);
    expect(stepFrom(layout, 0, 'down')).toBe(1);
    expect(stepFrom(layout, 1, 'right')).toBe(5);
    expect(stepFrom(layout, 5, 'right')).toBe(5);
    expect(stepFrom(layout, 4, 'left')).toBe(2);
    expect(stepFrom(layout, 5, 'down')).toBe(5);
  });
  it('draws only what covers a pixel and is on the screen', () => {
    const seen = (view: Partial<Parameters<typeof eachVisible>[1]>): number[] => {
      const boxes: number[] = [];
      eachVisible(layout, { from: 0, to: 1, firstRow: 0, lastRow: 9, width: 100, ...view }, (box) => boxes.push(box));
      return boxes;
    };
    expect(seen({})).toEqual([0, 1, 2, 3, 4, 5]);
    expect(seen({ width: 4 })).toEqual([0, 1, 2, 3, 5]);
    expect(seen({ from: 0.61 })).toEqual([0, 5]);
    expect(seen({ firstRow: 1, lastRow: 1 })).toEqual([1, 5]);
  });
  it('counts nested matches once', () => {
    const matches = Uint8Array.from(TREE.row, (r) => (r.name === 'a' ? 1 : 0));
    expect(matchedSum(TREE, layout, matches)).toEqual({ value: 6, base: 0, boxes: 2 });
  });
  it('gives gone boxes a width when scaled by both sides', () => {
    const diff = { ...TREE, cum: [0, 0, 0, 0, 0, 0], cum_base: TREE.cum };
    expect(layoutFlame(diff, 'both').x1[1]).toBeCloseTo(0.6);
    expect(layoutFlame(diff, 'value').x1[1]).toBe(0);
  });
  it('lays an empty report and 200,000 boxes out', () => {
    expect(layoutFlame({ ...TREE, node: [], depth: [], cum: [] }).n).toBe(0);
    const n = 200_000;
    const many = {
      ...TREE,
      node: new Array<number>(n).fill(0),
      depth: Array.from({ length: n }, (_, i) => Math.min(i, 1)),
      cum: Array.from({ length: n }, (_, i) => (i === 0 ? n : 1)),
    };
    expect(layoutFlame(many).nRows).toBe(2);
  });
});

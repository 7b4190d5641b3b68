import { describe, expect, it } from 'vitest';
import { sumsById, withCallers, withSums } from './callers';
import { flame } from './fixture';
import { boxesOf, layoutFlame, matchedSum } from './layout';

// everything 10 → main 8 → run 5 (zoomed) → a 3, b 2.
const ZOOMED = {
  ...flame(`
  0 run 5
  1 a 3
  1 b 2
`),
  id: ['c'],
  above: [3],
  above_id: ['m'],
};
const REPORT = { ...ZOOMED, row: [...ZOOMED.row, ...flame('0 main 8').row] };

describe('withCallers', () => {
  const rooted = withCallers(REPORT);
  const layout = layoutFlame(rooted);
  it('puts everything and the callers above the zoomed box', () => {
    expect(rooted.root).toBe(2);
    expect(rooted.node.map((row) => rooted.row[row]?.name ?? '-')).toEqual(['-', 'main', 'run', 'a', 'b']);
    expect(rooted.depth).toEqual([0, 1, 2, 3, 3]);
    expect(rooted.id).toEqual(['', 'm', 'c']);
  });
  it('knows the total, and no other sum of a caller before it came', () => {
    expect(rooted.cum).toEqual([10, Number.NaN, 5, 3, 2]);
    const sums = sumsById({ ...flame('0 main 8'), id: ['m'] });
    expect(withSums(rooted, sums).cum).toEqual([10, 8, 5, 3, 2]);
    expect(withCallers(REPORT, sums).cum).toEqual([10, 8, 5, 3, 2]);
  });
  it('gives callers and the zoomed box the full width', () => {
    expect([...layout.x1]).toEqual([1, 1, 1, expect.closeTo(0.6), 1]);
    expect([...layout.parent]).toEqual([-1, 0, 1, 2, 2]);
    expect([...layout.end]).toEqual([5, 5, 5, 4, 5]);
  });
  it('searches the zoomed box, not its callers', () => {
    const all = Uint8Array.from(rooted.row, () => 1);
    expect([...boxesOf(rooted, all)]).toEqual([2, 3, 4]);
    expect(matchedSum(rooted, layout, all)).toEqual({ value: 5, base: 0, boxes: 3 });
  });
  it('leaves a graph of everything as it is', () => {
    const whole = { ...flame('0 - 10\n1 a 4'), id: [''] };
    expect(withCallers(whole)).toEqual({ ...whole, root: 0 });
  });
});

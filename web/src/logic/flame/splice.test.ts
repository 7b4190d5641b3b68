import { describe, expect, it } from 'vitest';
import type { FlameReport } from '../../api/types';
import { HEADER, flame } from './fixture';
import { layoutFlame } from './layout';
import { withCallers } from './callers';
import { boxOfRoot, missingParts, sameBox, splice, undetailed } from './splice';

const WHOLE = {
  root: 0,
  ...flame(`
  0 - 100
  1 a 60
  2 b 40
  2 - 20
  1 c 30
  2 d 30
  1 - 10
`),
};
const PART = {
  ...flame(`
  0 a 60
  1 b 40
  1 e 15
  2 d 15
  1 - 5
`),
  header: { ...HEADER, node_cutoff: 1 },
};
const layout = layoutFlame(WHOLE);
const names = (report: typeof WHOLE): string[] => report.node.map((n) => report.row[n]?.name ?? '-');
const window = { from: 0, to: 0.6, firstRow: 0, lastRow: 9, width: 1000 };

describe('splice', () => {
  it('keeps all columns in step with the boxes', () => {
    const numbered = <T extends FlameReport>(from: T, first: number): T => {
      const column = from.node.map((_, i) => first + i);
      return { ...from, cum_samples: column, cum_error: column, cum_change_error: column, cum_grown: column, cum_shrunk: column };
    };
    const { report } = splice(undetailed(numbered(WHOLE, 0)), layout, 1, numbered(PART, 10));
    for (const column of ['cum_samples', 'cum_error', 'cum_change_error', 'cum_grown', 'cum_shrunk'] as const)
      expect(report[column]).toEqual([0, 10, 11, 12, 13, 14, 4, 5, 6]);
  });
  const { report, cutoff } = splice({ report: { ...WHOLE, id: [''] }, cutoff: new Float64Array(7).fill(9) }, layout, 1, PART);
  it('puts the part where its first box was', () => {
    expect(names(report)).toEqual(['-', 'a', 'b', 'e', 'd', '-', 'c', 'd', '-']);
    expect(report.depth).toEqual([0, 1, 2, 2, 3, 2, 1, 2, 1]);
    expect(report.cum).toEqual([100, 60, 40, 15, 15, 5, 30, 30, 10]);
  });
  it('gives a name one row and ids none', () => {
    expect(report.row.map((r) => r.name)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(report.id).toEqual(['']);
  });
  it('knows how sharp each part is', () => {
    expect([...cutoff]).toEqual([9, 1, 1, 1, 1, 1, 9, 9, 9]);
  });
  it('knows a box again', () => {
    const spliced = layoutFlame(report);
    expect([1, 2, 4, 5].map((box) => sameBox(WHOLE, layout, box, report, spliced))).toEqual([1, 2, 6, 7]);
  });
});

describe('missingParts', () => {
  const blurred = { ...undetailed(WHOLE), cutoff: new Float64Array(7).fill(21) };
  it('requests the largest box around folded boxes in the window', () => {
    expect(missingParts(blurred, layout, window, new Set())).toEqual([{ box: 1, id: '1' }]);
  });
  it('requests all parts at once, the last first, and for none inside another', () => {
    const two = {
      root: 0,
      ...flame(`
      0 - 100
      1 a 50
      2 - 30
      2 b 20
      3 - 20
      1 c 50
      2 - 50
    `),
    };
    const parts = missingParts({ report: two, cutoff: new Float64Array(7).fill(21) }, layoutFlame(two), { ...window, to: 1 }, new Set());
    expect(parts).toEqual([
      { box: 5, id: '5' },
      { box: 1, id: '1' },
    ]);
  });
  it('requests nothing twice', () => {
    expect(missingParts(blurred, layout, window, new Set(['1']))).toEqual([]);
  });
  it('requests nothing for folded boxes that are not visible', () => {
    const sharp = { ...blurred, cutoff: new Float64Array(7).fill(0.05) };
    expect(missingParts(sharp, layout, window, new Set())).toEqual([]);
  });
  it('requests nothing outside the window', () => {
    expect(missingParts(blurred, layout, { ...window, from: 0.6, to: 0.8 }, new Set())).toEqual([]);
  });
});

describe('boxOfRoot', () => {
  const zoomed = { ...flame('0 d 30'), row: [...WHOLE.row], node: [3], id: ['6'], above: [2], above_id: ['4'] };
  const inner = withCallers(zoomed);
  const innerLayout = layoutFlame(inner);
  it('finds the zoomed box, from inside and from outside', () => {
    expect(boxOfRoot(WHOLE, layout, inner, innerLayout)).toBe(5);
    expect(boxOfRoot(WHOLE, layout, WHOLE, layout)).toBe(0);
    expect(boxOfRoot(inner, innerLayout, WHOLE, layout)).toBe(0);
  });
  it('finds nothing in the other direction', () => {
    expect(boxOfRoot(WHOLE, layout, { ...inner, inverted: true }, innerLayout)).toBe(-1);
  });
});

import { describe, expect, it } from 'vitest';
import { HEADER, flame } from './flame-fixture';
import { layoutFlame } from './flame-layout';
import { boxOfRoot, missingDetail, sameBox, splice, undetailed } from './flame-splice';

const WHOLE = flame(`
  0 - 100
  1 a 60
  2 b 40
  2 - 20
  1 c 30
  2 d 30
  1 - 10
`);
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
  it('keeps what stands beside boxes with them', () => {
    const numbered = (from: typeof WHOLE, first: number): typeof WHOLE => {
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

describe('missingDetail', () => {
  const blurred = { ...undetailed(WHOLE), cutoff: new Float64Array(7).fill(21) };
  it('asks for the largest box around what is folded in the window', () => {
    expect(missingDetail(blurred, layout, window, new Set())).toEqual({ box: 1, id: '1' });
  });
  it('asks nothing twice', () => {
    expect(missingDetail(blurred, layout, window, new Set(['1']))).toBeUndefined();
  });
  it('asks nothing when what was folded could not be seen', () => {
    const sharp = { ...blurred, cutoff: new Float64Array(7).fill(0.05) };
    expect(missingDetail(sharp, layout, window, new Set())).toBeUndefined();
  });
  it('asks nothing for what is outside of the window', () => {
    expect(missingDetail(blurred, layout, { ...window, from: 0.6, to: 0.8 }, new Set())).toBeUndefined();
  });
});

describe('boxOfRoot', () => {
  const inner = { ...flame('0 d 30'), row: [...WHOLE.row], node: [3], above: [2] };
  it('finds the way down', () => {
    expect(boxOfRoot(WHOLE, layout, inner)).toBe(5);
    expect(boxOfRoot(WHOLE, layout, WHOLE)).toBe(0);
  });
  it('knows no way up or into the other direction', () => {
    expect(boxOfRoot(inner, layoutFlame(inner), WHOLE)).toBe(-1);
    expect(boxOfRoot(WHOLE, layout, { ...inner, inverted: true })).toBe(-1);
  });
});

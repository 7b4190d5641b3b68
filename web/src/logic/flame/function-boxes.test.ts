import { describe, expect, it } from 'vitest';
import { flame } from './fixture';
import { layoutFlame } from './layout';
import { largestOf, heaviestFunction } from './function-boxes';

const DRAWN = flame(`
  0 - 20
  1 main 20
  2 add 12
  3 grow 12
  2 grow 5
  2 load 3
`);
const OWN = new Set(['main', 'add', 'load']);
const REPORT = { ...DRAWN, row: DRAWN.row.map((row) => ({ ...row, kind: OWN.has(row.name) ? ('own' as const) : ('runtime' as const) })) };

describe('heaviestFunction', () => {
  it('is the innermost own function with most memory', () => {
    expect(heaviestFunction(REPORT, layoutFlame(REPORT))?.name).toBe('add');
  });
  it('is the function with the largest own value if no code is own', () => {
    const runtime = { ...DRAWN, row: DRAWN.row.map((row) => ({ ...row, kind: 'runtime' as const })) };
    expect(heaviestFunction(runtime, layoutFlame(runtime))?.name).toBe('grow');
  });
  it('is nothing in an empty graph', () => {
    const empty = flame('0 - 0');
    expect(heaviestFunction(empty, layoutFlame(empty))).toBeUndefined();
  });
});

describe('largestOf', () => {
  it('is the largest box of the function', () => {
    expect(largestOf(REPORT, layoutFlame(REPORT), 'grow')).toBe(3);
    expect(largestOf(REPORT, layoutFlame(REPORT), 'nothing')).toBe(-1);
    expect(largestOf(REPORT, layoutFlame(REPORT), '')).toBe(-1);
  });
});

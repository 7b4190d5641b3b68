import { describe, expect, it } from 'vitest';
import type { FlameReport } from '../../api/types';
import { HEADER, NOTHING_BESIDE } from './fixture';
import { NO_ROW } from '../names/names';
import { boxId } from './box-id';
import { withCallers } from './callers';
import { layoutFlame } from './layout';

/** everything → main → grow, inlined; as the server sends it: with the first id only. */
function report(id: readonly string[], inverted = false): FlameReport {
  return {
    header: HEADER,
    inverted,
    row: ['main', 'größer'].map((name) => ({ ...NO_ROW, name })),
    node: [-1, 0, 1, -1],
    depth: [0, 1, 2, 2],
    cum: [10, 9, 5, 1],
    flat: [0, 0, 5, 1],
    cum_base: [],
    flat_base: [],
    inlined: [0, 0, 1, 0],
    id,
    above: [],
    above_id: [],
    ...NOTHING_BESIDE,
    closed: [],
    folded: [],
  };
}

const idOf = (sent: FlameReport, box: number): string => boxId(sent, layoutFlame(sent), box);

describe('boxId', () => {
  // The numbers are the server's own for these names.
  it('follows from the names, as the server makes it', () => {
    expect(idOf(report(['']), 0)).toBe('');
    expect(idOf(report(['']), 1)).toBe('87e0e1bd537c3afc');
    expect(idOf(report(['']), 2)).toBe('6c4910f234b3238a');
  });
  it('goes on from the zoomed box', () => {
    const zoomed = { ...report(['87e0e1bd537c3afc']), node: [0, 1], depth: [0, 1], cum: [9, 5], flat: [0, 5], inlined: [0, 1] };
    expect(idOf(zoomed, 1)).toBe('6c4910f234b3238a');
    const withItsCallers = withCallers(zoomed);
    expect([0, 1, 2].map((box) => idOf(withItsCallers, box))).toEqual(['', '87e0e1bd537c3afc', '6c4910f234b3238a']);
  });
  it('takes what was sent, and has none for what was folded', () => {
    expect(idOf(report(['', 'a', 'b', '']), 2)).toBe('b');
    expect(idOf(report(['']), 3)).toBe('');
  });
  it('does not look at inlining from the leaves', () => {
    const flat = { ...report([''], true), inlined: [0, 0, 0, 0] };
    expect(idOf(report([''], true), 2)).toBe(idOf(flat, 2));
    expect(idOf(report([''], true), 1)).not.toBe(idOf(report(['']), 1));
  });
});

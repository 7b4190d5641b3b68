import { describe, expect, it } from 'vitest';
import { accessNote, fieldCount, fieldRange, heatOfField } from './accesses';

describe('accesses by byte', () => {
  it('have ranges and counts', () => {
    expect([fieldRange({ start: 8, bytes: 8, count: 1 }), fieldRange({ start: 8, bytes: 1, count: 1 })]).toEqual(['8–15', '8']);
    const site = { blocks: 4, is_capped: false };
    expect(fieldCount(site, { start: 0, bytes: 1, count: 0 })).toBe('never');
    expect(fieldCount(site, { start: 0, bytes: 1, count: 6 })).toBe('6 (1.50 per block)');
    expect(fieldCount({ blocks: 1, is_capped: true }, { start: 0, bytes: 1, count: 65_535 })).toBe('65,535 or more');
  });

  it('are shaded by orders of magnitude', () => {
    expect([heatOfField(0, 100), heatOfField(1, 1), heatOfField(1, 1e6), heatOfField(1000, 1e6), heatOfField(1e6, 1e6)]).toEqual([
      0, 5, 1, 3, 5,
    ]);
  });

  it('say what is missing', () => {
    const site = { accessed: 10, blocks: 2, counted: 10, counts: 'exact', size: 16, untouched: 0 } as const;
    expect(accessNote(site)).toBe('');
    expect(accessNote({ ...site, untouched: 4 })).toBe('4 of 16 B are never accessed, 8 B in all.');
    expect(accessNote({ ...site, counts: 'wrapped', accessed: 65_546 })).toContain('65,536 accesses are missing');
    expect(accessNote({ ...site, counts: 'incomplete', untouched: 4 })).toContain('at most 4 of 16 B');
  });
});

import { describe, expect, it } from 'vitest';
import type { FlameReport } from '../../api/types';
import { flame } from '../flame/fixture';
import { hottestEnd, MOST_OPEN, openAfter, rowKey, rowOfKey, treeRows, treeState } from './tree-rows';

const report: FlameReport = {
  ...flame('0 x 100'),
  node: [-1, 0, 1, 2, -1, 3, 4],
  depth: [0, 1, 2, 3, 3, 2, 1],
  cum: [100, 90, 80, 70, 10, 10, 10],
  flat: [0, 0, 0, 70, 10, 10, 10],
  id: ['', '11111111aa', '22222222aa', '33333333aa', '', '55555555aa', '66666666aa'],
  closed: [0, 0, 0, 1, 0, 0, 0],
  folded: [0, 0, 0, 0, 7, 0, 0],
};
const rows = treeRows(report);

describe('treeRows', () => {
  it('leaves the root out and knows levels and parents', () => {
    expect([...rows.box]).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...rows.level]).toEqual([1, 2, 3, 3, 2, 1]);
    expect([...rows.parent]).toEqual([-1, 0, 1, 1, 0, -1]);
  });
  it('begins with a zoomed box', () => {
    const zoomed = treeRows({ ...report, node: [5, 0, 1, 2, -1, 3, 4] });
    expect([...zoomed.box].slice(0, 2)).toEqual([0, 1]);
    expect([...zoomed.parent].slice(0, 2)).toEqual([-1, 0]);
  });
  it('indents only children less than one of several', () => {
    const chain = treeRows({ ...report, node: [-1, 0, 1, 2, 3], depth: [0, 1, 2, 3, 3] });
    expect([...chain.indent]).toEqual([0, 4, 18, 18]);
  });
  it('reports the state of a row', () => {
    expect([0, 1, 2, 3, 4].map((row) => treeState(report, rows, row))).toEqual(['open', 'open', 'closed', 'folded', 'leaf']);
  });
  it('finds rows by id and the end of the hottest path', () => {
    expect(rowOfKey(report, rows, '55555555')).toBe(4);
    expect(rowOfKey(report, rows, '')).toBe(-1);
    for (const row of [0, 3, 4]) expect(rowOfKey(report, rows, rowKey(report, rows, row))).toBe(row);
    expect(hottestEnd(report, rows, 0)).toBe(2);
    expect(hottestEnd(report, rows, 5)).toBe(5);
  });
});

describe('openAfter', () => {
  const after = (before: string, kind: 'open' | 'close' | 'hottest' | 'all', row: number) => openAfter(report, rows, before, { kind, row });
  it('lists open rows', () => {
    expect(after('auto', 'open', 2)).toBe('11111111.22222222.33333333');
    expect(after('auto', 'close', 1)).toBe('11111111');
    expect(after('auto', 'hottest', 2)).toBe('11111111.22222222.33333333*');
    expect(openAfter(report, rows, 'auto', { kind: 'hottest-of-all' })).toBe('*');
  });
  it('keeps the rows whose small ones are shown', () => {
    expect(after('auto', 'all', 3)).toBe('11111111.22222222_');
    expect(after('11111111.22222222_', 'open', 2)).toBe('11111111.22222222_.33333333');
    expect(after('_', 'all', 5)).toBe('_.11111111.22222222');
  });
  it('has a value for no open rows', () => {
    const shut = { ...report, node: [-1, 0], depth: [0, 1], id: ['', '11111111aa'], closed: [0, 1] };
    expect(openAfter(shut, treeRows(shut), 'none', { kind: 'close', row: 0 })).toBe('none');
  });
  it('ends somewhere', () => {
    const n = (MOST_OPEN + 2) * 2;
    const many: FlameReport = {
      ...report,
      node: Array.from({ length: n }, (_, i) => (i === 0 ? -1 : 0)),
      depth: Array.from({ length: n }, (_, i) => i),
      id: Array.from({ length: n }, (_, i) => (i === 0 ? '' : `${i}`.padStart(8, '0'))),
      closed: Array.from({ length: n }, () => 0),
    };
    expect(openAfter(many, treeRows(many), '', { kind: 'open', row: n - 2 })).toBeUndefined();
  });
});

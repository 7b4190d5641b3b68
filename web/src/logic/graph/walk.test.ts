import { describe, expect, it } from 'vitest';
import type { GraphReport } from '../../api/types';
import { HEADER } from '../flame/fixture';
import { NO_ROW } from '../names/names';
import { tooLarge, walkFrom } from './walk';

/** 0 calls 1 (heavy), 2 and itself; 1 and 2 call 3; 1 is left of 2. */
const REPORT: GraphReport = {
  header: HEADER,
  row: ['main', 'left', 'right', 'leaf'].map((name) => ({ ...NO_ROW, name })),
  flat: [0, 0, 0, 10],
  cum: [10, 7, 3, 10],
  flat_base: [],
  cum_base: [],
  edges: {
    from: [0, 0, 0, 1, 2],
    to: [0, 2, 1, 3, 3],
    value: [9, 3, 7, 7, 3],
    base: [],
    residual: [0, 0, 0, 0, 0],
    inlined: [0, 0, 0, 0, 0],
  },
  tags: [],
};
const GEOMETRY = {
  width: 100,
  height: 300,
  nodes: new Map([
    ['n0', { x: 50, y: 10 }],
    ['n1', { x: 20, y: 100 }],
    ['n2', { x: 80, y: 104 }],
    ['n3', { x: 50, y: 200 }],
  ]),
  edges: new Map(),
};

describe('walkFrom', () => {
  const walk = (node: number, ...steps: readonly Parameters<typeof walkFrom>[3][]): number =>
    steps.reduce((at, step) => walkFrom(REPORT, GEOMETRY, at, step), node);
  it('goes down to the heaviest callee and up to the heaviest caller, never to itself', () => {
    expect(walk(0, 'down')).toBe(1);
    expect(walk(0, 'down', 'down')).toBe(3);
    expect(walk(3, 'up')).toBe(1);
    expect(walk(0, 'up')).toBe(0);
    expect(walk(3, 'down')).toBe(3);
  });
  it('goes aside within the row', () => {
    expect(walk(1, 'right')).toBe(2);
    expect(walk(2, 'right')).toBe(2);
    expect(walk(2, 'left')).toBe(1);
    expect(walk(0, 'left')).toBe(0);
  });
});

describe('tooLarge', () => {
  it('reports why, and how much would be laid out', () => {
    expect(tooLarge(REPORT)).toBe('');
    const crowd = { ...REPORT, row: Array.from({ length: 2000 }, () => NO_ROW) };
    expect(tooLarge(crowd)).toMatch(/^2,000 nodes with 5 calls .* at most 800 nodes/);
  });
});

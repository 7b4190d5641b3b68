import { describe, expect, it } from 'vitest';
import { beginningAt, layoutAround } from './sandwich';
import { flame } from './fixture';
import { eachVisible } from './layout';
import { boxAt, stepFrom } from './hit-test';

// Stacks that end at f, from f outwards; other stacks end elsewhere.
const CALLERS = flame(`
  0 - 12
  1 f 10
  2 main 7
  3 start 7
  2 run 3
  1 other 2
`);
const CALLEES = flame(`
  0 - 10
  1 f 10
  2 g 6
  2 h 4
`);

describe('beginningAt', () => {
  it('takes the tree below the function', () => {
    const tree = beginningAt(CALLERS, 'f');
    expect(tree?.cum).toEqual([10, 7, 7, 3]);
    expect(tree?.depth).toEqual([0, 1, 2, 1]);
  });
  it('puts one box above several of the same function', () => {
    const twice = flame('0 - 10\n1 f 6\n2 g 6\n1 - 1\n1 f 3');
    const tree = beginningAt(twice, 'f');
    expect(tree?.cum).toEqual([9, 6, 6, 3]);
    expect(tree?.depth).toEqual([0, 1, 2, 1]);
  });
  it('is undefined for what is not there', () => {
    expect(beginningAt(CALLERS, 'main')).toBeUndefined();
  });
});

describe('layoutAround', () => {
  const { report, layout } = layoutAround(beginningAt(CALLERS, 'f'), beginningAt(CALLEES, 'f') ?? CALLEES, 'both');
  const nameOf = (box: number): string => report.row[report.node[box] ?? -1]?.name ?? '-';
  const names = [...layout.row.keys()].map(nameOf);
  const at = (name: string): number => names.indexOf(name);
  it('puts callers above and callees below', () => {
    expect(names).toEqual(['f', 'main', 'start', 'run', 'g', 'h']);
    expect([...layout.row]).toEqual([2, 1, 0, 1, 3, 3]);
    expect(layout.nRows).toBe(4);
    expect(report.cum).toEqual([10, 7, 7, 3, 6, 4]);
  });
  it('gives both sides the width of the function', () => {
    expect([...layout.x1]).toEqual([1, 0.7, 0.7, 1, 0.6, 1].map((x) => expect.closeTo(x)));
    expect([...layout.parent]).toEqual([-1, 0, 1, 0, 0, 0]);
    expect([...layout.end]).toEqual([6, 3, 3, 4, 5, 6]);
  });
  it('finds boxes on both sides', () => {
    expect([boxAt(layout, 0, 0.1), boxAt(layout, 1, 0.9), boxAt(layout, 2, 0.5), boxAt(layout, 3, 0.9)].map(nameOf)).toEqual([
      'start',
      'run',
      'f',
      'h',
    ]);
  });
  it('walks outwards on both sides and back', () => {
    expect(stepFrom(layout, 0, 'up')).toBe(at('main'));
    expect(stepFrom(layout, 0, 'down')).toBe(at('g'));
    expect(stepFrom(layout, at('main'), 'up')).toBe(at('start'));
    expect(stepFrom(layout, at('start'), 'down')).toBe(at('main'));
    expect(stepFrom(layout, at('main'), 'down')).toBe(0);
    expect(stepFrom(layout, at('g'), 'up')).toBe(0);
    expect(stepFrom(layout, at('main'), 'right')).toBe(at('run'));
  });
  it('draws the rows in the window, whichever side they are on', () => {
    const seen = (firstRow: number, lastRow: number): string[] => {
      const boxes: string[] = [];
      eachVisible(layout, { from: 0, to: 1, width: 100, firstRow, lastRow }, (box) => boxes.push(nameOf(box)));
      return boxes;
    };
    expect(seen(0, 9)).toEqual(names);
    expect(seen(0, 0)).toEqual(['start']);
    expect(seen(3, 9)).toEqual(['g', 'h']);
  });
  it('shows callees alone when nothing calls the function', () => {
    const alone = layoutAround(undefined, beginningAt(CALLEES, 'f') ?? CALLEES, 'both');
    expect([...alone.layout.row]).toEqual([0, 1, 1]);
    expect(stepFrom(alone.layout, 0, 'up')).toBe(0);
  });
});

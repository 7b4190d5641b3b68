import { describe, expect, it } from 'vitest';
import { boundedWidth, chosenColumns, columnWidths, fittingColumns, readWidths, withWidth } from './columns';

const all = [
  { key: 'flat', width: 80, spare: 0 },
  { key: 'sum', width: 60, spare: 3 },
  { key: 'own', width: 60 },
  { key: 'name', width: 200, grows: true, spare: 0 },
  { key: 'place', width: 150, spare: 1 },
];

const wide = all.map((c) => (c.key === 'name' ? { ...c, width: 400 } : c));

describe('columns', () => {
  it('go in their order when there is no room', () => {
    expect(fittingColumns(wide, 690)).toEqual(['flat', 'sum', 'name', 'place']);
    expect(fittingColumns(wide, 689)).toEqual(['flat', 'name', 'place']);
    expect(fittingColumns(wide, 600)).toEqual(['flat', 'name']);
  });
  it('of a narrow table begin with the name, and keep one number', () => {
    expect(fittingColumns(all, 390)).toEqual(['name', 'flat']);
    expect(fittingColumns(all, 440)).toEqual(['name', 'flat', 'place']);
    expect(fittingColumns(all, 500)).toEqual(['name', 'flat', 'sum', 'place']);
    expect(fittingColumns(all, 10)).toEqual(['name', 'flat']);
    expect(
      columnWidths(
        [
          { key: 'name', width: 320, grows: true },
          { key: 'flat', width: 80 },
        ],
        400,
      ),
    ).toEqual([320, 80]);
    expect(
      columnWidths(
        [
          { key: 'name', width: 320, grows: true },
          { key: 'flat', width: 280 },
        ],
        400,
      ),
    ).toEqual([180, 280]);
  });
  it('count as wide as they were dragged', () => {
    expect(fittingColumns(wide, 700, { name: 500 })).toEqual(['flat', 'name']);
    expect(fittingColumns(wide, 700, { name: 410 })).toEqual(['flat', 'sum', 'name', 'place']);
  });
  it('are chosen by name, in the order of the table', () => {
    expect(chosenColumns('name,own,nonsense', all)).toEqual(['own', 'name']);
    expect(chosenColumns('', all)).toEqual([]);
  });
  it('share the free width by weight, and keep a width that was set', () => {
    const shown = [
      { key: 'value', width: 100 },
      { key: 'name', width: 200, grows: true },
      { key: 'type', width: 100, grows: 0.5 },
    ];
    expect(columnWidths(shown, 700)).toEqual([100, 400, 200]);
    expect(columnWidths(shown, 700, { name: 250 })).toEqual([100, 250, 350]);
    expect(columnWidths(shown, 580).map(Math.round)).toEqual([100, 320, 160]);
    expect(columnWidths([...shown, { key: 'place', width: 300 }], 600)).toEqual([100, 200, 100, 300]);
    expect(columnWidths(shown, 900, { name: 10, type: 20 })).toEqual([100, 10, 20]);
  });
  it('are remembered by table; damaged storage is ignored', () => {
    const one = withWidth({}, 'Top', 'name', 320.4);
    expect(one).toEqual({ Top: { name: 320 } });
    expect(readWidths(JSON.stringify(one))).toEqual(one);
    expect(withWidth(one, 'Top', 'name', undefined)).toEqual({ Top: {} });
    for (const damaged of [null, '', '[]', '7', '{"Top":[1]}', '{"Top":{"name":"wide"}}', '{"Top":{"name":null}}']) {
      expect(readWidths(damaged)).toEqual({});
    }
    expect(readWidths('{"Top":{"name":-5},"Tree":{"cum":1e9}}')).toEqual({ Top: { name: 36 }, Tree: { cum: 1600 } });
    expect(boundedWidth(0)).toBe(36);
  });
});

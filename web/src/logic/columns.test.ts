import { describe, expect, it } from 'vitest';
import { chosenColumns, fittingColumns } from './columns';

const all = [
  { key: 'flat', width: 80, spare: 0 },
  { key: 'sum', width: 60, spare: 3 },
  { key: 'own', width: 60 },
  { key: 'name', width: 200, spare: 0 },
  { key: 'place', width: 150, spare: 1 },
];

describe('columns', () => {
  it('go in their order when there is no room', () => {
    expect(fittingColumns(all, 500)).toEqual(['flat', 'sum', 'name', 'place']);
    expect(fittingColumns(all, 489)).toEqual(['flat', 'name', 'place']);
    expect(fittingColumns(all, 300)).toEqual(['flat', 'name']);
    expect(fittingColumns(all, 10)).toEqual(['flat', 'name']);
  });
  it('are chosen by name, in the order of the table', () => {
    expect(chosenColumns('name,own,nonsense', all)).toEqual(['own', 'name']);
    expect(chosenColumns('', all)).toEqual([]);
  });
});

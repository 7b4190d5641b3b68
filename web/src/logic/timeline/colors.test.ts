import { expect, it } from 'vitest';
import { bandClass } from './colors';

const band = (row: number) => ({ row, key: String(row), from: new Float64Array(), to: new Float64Array() });

it('gives each band a colour, and rows without one that of the rest', () => {
  const stack = { bands: [band(4), band(0), band(-1)] };
  expect([4, 0, 2, -1].map((row) => bandClass(stack, row))).toEqual(['band-0', 'band-1', 'rest', 'rest']);
});

import { describe, expect, it } from 'vitest';
import { boxColors, colorByOf, KIND_ORDER, N_SHADES, N_VALUES, shaded, shadeOf, valueStep } from './colors';
import { flame } from './fixture';

describe('colours of boxes', () => {
  it('are by package by default', () => {
    expect([colorByOf(''), colorByOf('kind'), colorByOf('value'), colorByOf('nonsense')]).toEqual(['package', 'kind', 'value', 'package']);
  });
  it('keep the shade of a function in every session', () => {
    expect(shadeOf('shop::book::add')).toBe(shadeOf('shop::book::add'));
    const shades = new Set(Array.from({ length: 40 }, (_, i) => shadeOf(`shop::m${i}::f${i}`)));
    expect(shades.size).toBe(N_SHADES);
    const inOneModule = new Set(Array.from({ length: 40 }, (_, i) => shadeOf(`shop::book::f${i}`)));
    expect(inOneModule.size).toBe(2);
  });
  it('grow with the share of the total', () => {
    const steps = [0, 0.0005, 0.005, 0.03, 0.07, 0.2, 0.9].map((share) => valueStep(share * 1000, 1000));
    expect(steps).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(Math.max(...steps)).toBe(N_VALUES - 1);
    expect(valueStep(-900, 1000)).toBe(6);
    expect(valueStep(5, 0)).toBe(0);
  });
  it('follow the kind; folded boxes have none', () => {
    const report = flame('0 - 10\n1 main 8\n1 - 2');
    const kinds = boxColors({ ...report, row: report.row.map((row) => ({ ...row, kind: 'runtime' })) }, 'kind');
    expect([...kinds].map((color) => Math.floor(color / N_SHADES))).toEqual([-1, KIND_ORDER.indexOf('runtime'), -1]);
  });
  it('by value use the own value of a frame; in an inverted graph, the whole value', () => {
    const report = { ...flame('0 - 10\n1 main 8'), flat: [0, 4] };
    expect([...boxColors(report, 'value')]).toEqual([-1, 6]);
    expect([...boxColors({ ...report, flat: [0, 0] }, 'value')]).toEqual([-1, 0]);
    expect([...boxColors({ ...report, flat: [0, 0], inverted: true }, 'value')]).toEqual([-1, 6]);
  });
});

describe('shaded', () => {
  it('turns the hue and darkens', () => {
    expect(shaded('oklch(0.83 0.08 45)', 2)).toBe('oklch(0.830 0.08 45)');
    expect(shaded('oklch(0.83 0.08 5)', 1)).toBe('oklch(0.780 0.08 355)');
    expect(shaded('oklch(83% 0.08 355)', 4)).toBe('oklch(83.000% 0.08 5)');
    expect(shaded('lab(80 10 0)', 3)).toBe('lab(75.000 10.000 0.000)');
    expect(shaded('oklab(0.8 0.1 0)', 4)).toBe('oklab(0.800 0.098 0.017)');
    expect(shaded('oklch(0.83 0.08 5)', 5, false)).toBe('oklch(0.740 0.08 5)');
    expect(shaded('rgb(200, 100, 0)', 3)).toBe('rgb(190, 95, 0)');
  });
  it('leaves a colour alone that it cannot read', () => {
    expect(shaded('tomato', 5)).toBe('tomato');
  });
});

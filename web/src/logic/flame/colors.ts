import type { FlameReport, Row } from '../../api/types';
import { hashOf, hueOf, N_HUES } from '../color';
import { numberAt } from '../number-at';
import { functionOf } from '../names/names';
import type { Kind } from '../../api/types';

/** Colour numbers of the flame graph; the theme maps them to colours. */

export const COLOR_BY = ['package', 'kind', 'value'] as const;
export type ColorBy = (typeof COLOR_BY)[number];

export function colorByOf(text: string): ColorBy {
  return COLOR_BY.find((by) => by === text) ?? 'package';
}

/** Kinds in the order of their colours and of the legend. */
export const KIND_ORDER: readonly Kind[] = ['own', 'third_party', 'plumbing', 'runtime', 'allocator', 'unknown'];

/** Variants of a colour: three neighbouring hues for modules, two lightnesses for the functions in them. */
export const N_SHADES = 6;
const N_MODULE_SHADES = 3;

/** Upper bounds of the steps, as shares of the total; step 0 is zero, the last step is above all bounds. */
export const VALUE_STEPS: readonly number[] = [0, 0.001, 0.01, 0.05, 0.1, 0.25];
export const N_VALUES = VALUE_STEPS.length + 1;

/** Largest number of colours of any mode, shades included. */
export const N_BOX_COLORS = (N_HUES + 2) * N_SHADES;

/** Shade of a function: by its module, then by its name, so that neighbours differ. */
export function shadeOf(name: string): number {
  const end = Math.max(name.lastIndexOf('::'), name.lastIndexOf('.'), name.lastIndexOf('/'));
  const module = hashOf(end < 0 ? '' : name.slice(0, end)) % N_MODULE_SHADES;
  return module * 2 + (hashOf(name) % 2);
}

/** Step of a value by its share of `total`; 0 for no value. */
export function valueStep(value: number, total: number): number {
  const share = total === 0 ? 0 : Math.abs(value / total);
  const step = VALUE_STEPS.findIndex((end) => share <= end);
  return step < 0 ? VALUE_STEPS.length : step;
}

function shadedRow(row: Row, by: 'package' | 'kind'): number {
  const base = by === 'package' ? hueOf(row) : KIND_ORDER.indexOf(row.kind);
  return base * N_SHADES + shadeOf(functionOf(row));
}

/** Value behind the colour by value: self; in an inverted graph every box counts fully. */
export function valueColumn(report: FlameReport): readonly number[] {
  return report.inverted ? report.cum : report.flat;
}

/** Box → number of its colour; −1 for boxes without a function. O(boxes). */
export function boxColors(report: FlameReport & { readonly root?: number }, by: ColorBy): Int16Array {
  if (by === 'value') {
    const [column, total] = [valueColumn(report), numberAt(report.cum, report.root ?? 0)];
    return Int16Array.from(report.node, (row, box) => (row < 0 ? -1 : valueStep(numberAt(column, box) || 0, total)));
  }
  const ofRow = report.row.map((row) => shadedRow(row, by));
  return Int16Array.from(report.node, (row) => (row < 0 ? -1 : numberAt(ofRow, row)));
}

/** `oklch(0.8 0.1 45)`, `lab(81 -17 24)`: lightness, then chroma and hue or two axes. Browsers differ in what they write. */
const POLAR = /^(ok)?(lab|lch)\(([\d.]+)(%?) (-?[\d.]+) (-?[\d.]+)\)$/;
const RGB = /^rgb\((\d+), (\d+), (\d+)\)$/;
const TURN = 10;
const DARKER = 0.05;
/** Shades of a kind keep its hue and differ in lightness only. */
const EACH_DARKER = 0.018;

/** A variant of a CSS colour as browsers write it; the colour itself where it is written otherwise. */
export function shaded(color: string, shade: number, turns = true): string {
  const [turn, darker] = turns ? [(Math.floor(shade / 2) - 1) * TURN, (shade % 2) * DARKER] : [0, shade * EACH_DARKER];
  const polar = POLAR.exec(color);
  if (polar !== null) {
    const [, ok = '', space = '', lightness = '', percent = '', first = '', second = ''] = polar;
    const lighter = (Number(lightness) - darker * (ok === '' || percent !== '' ? 100 : 1)).toFixed(3);
    const [a, b] = [Number(first), Number(second)];
    if (space === 'lch') return `${ok}lch(${lighter}${percent} ${first} ${(b + turn + 360) % 360})`;
    const angle = (turn / 180) * Math.PI;
    const [turnedA, turnedB] = [a * Math.cos(angle) - b * Math.sin(angle), a * Math.sin(angle) + b * Math.cos(angle)];
    return `${ok}lab(${lighter}${percent} ${turnedA.toFixed(3)} ${turnedB.toFixed(3)})`;
  }
  const rgb = RGB.exec(color);
  if (rgb === null) return color;
  const scale = 1 - darker - Math.abs(turn) / 400;
  return `rgb(${rgb
    .slice(1)
    .map((part) => Math.round(Number(part) * scale))
    .join(', ')})`;
}

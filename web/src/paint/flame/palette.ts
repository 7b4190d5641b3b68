import type { FlameReport } from '../../api/types';
import { diffStep, N_DIFF_STEPS } from '../../logic/color';
import { boxColors, N_BOX_COLORS, N_SHADES, shaded, type ColorBy } from '../../logic/flame/colors';
import { numberAt } from '../../logic/number-at';
import type { PaintTokens } from '../tokens';

/** Colour numbers of boxes and their colours on the canvas: shades, then folded boxes, then differences. */

const REST = N_BOX_COLORS;
const DIFF = REST + 1;
export const N_COLORS = DIFF + 2 * N_DIFF_STEPS + 1;

const known = new WeakMap<FlameReport, Partial<Record<ColorBy | 'diff', Int16Array>>>();

/** Box → number of its colour, computed once per report and colour mode. With a base, colours show the change. */
export function colorsOf(report: FlameReport, by: ColorBy): Int16Array {
  const way = report.cum_base.length > 0 ? 'diff' : by;
  const kept = known.get(report) ?? {};
  const found = kept[way] ?? (way === 'diff' ? diffs(report) : boxColors(report, way).map((color) => (color < 0 ? REST : color)));
  known.set(report, { ...kept, [way]: found });
  return found;
}

function diffs(report: FlameReport): Int16Array {
  return Int16Array.from(report.cum, (value, box) => DIFF + N_DIFF_STEPS + (diffStep(value, numberAt(report.cum_base, box)) || 0));
}

/** Number of a colour → the colour, in a theme. */
export function paletteOf(tokens: PaintTokens, by: ColorBy): readonly string[] {
  const base = by === 'kind' ? tokens.kinds : tokens.hues;
  return Array.from({ length: N_COLORS }, (_, color) => {
    if (color === REST) return tokens.rest;
    if (color >= DIFF) return tokens.diffs[color - DIFF] ?? tokens.rest;
    if (by === 'value') return tokens.values[color] ?? tokens.rest;
    return shaded(base[Math.floor(color / N_SHADES)] ?? tokens.rest, color % N_SHADES, by === 'package');
  });
}

import { drawnDumps } from './bands';

/** SVG paths of a sparkline: the line through values at positions 0 … 1, and the area below it, in a box of this size in pixels. */
export function sparkPath(
  values: readonly number[],
  places: readonly number[],
  width: number,
  height: number,
): { readonly line: string; readonly area: string } {
  const [low, high] = [Math.min(0, ...values), Math.max(1, ...values)];
  const y = (value: number): number => 1.5 + (height - 3) * (1 - (value - low) / (high - low));
  const point = (i: number): string => `${(1 + (width - 2) * (places[i] ?? 0)).toFixed(1)},${y(values[i] ?? 0).toFixed(1)}`;
  const points = drawnDumps(values, places, width / 2).map(point);
  if (points.length === 0) return { line: '', area: '' };
  const x = (at: string): string => at.split(',')[0] ?? '0';
  const line = `M${points.join('L')}`;
  return { line, area: `${line}L${x(points.at(-1) ?? '')},${y(0).toFixed(1)}L${x(points[0] ?? '')},${y(0).toFixed(1)}Z` };
}

import type { FlameReport } from '../../api/types';
import type { ColorBy } from '../../logic/flame/colors';
import { numberAt } from '../../logic/number-at';
import { eachVisible, type FlameLayout } from '../../logic/flame/layout';
import { colorsOf, N_COLORS, paletteOf } from './palette';
import type { PaintTokens } from '../tokens';

export interface MinimapScene {
  readonly report: FlameReport;
  readonly layout: FlameLayout;
  readonly width: number;
  readonly height: number;
  readonly tokens: PaintTokens;
  readonly by: ColorBy;
}

/** The whole flame graph in a few pixels; rows share pixels where there are many. O(boxes). */
export function paintMinimap(context: CanvasRenderingContext2D, { report, layout, width, height, tokens, by }: MinimapScene): void {
  const ratio = context.canvas.width / Math.max(1, width);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const colors = colorsOf(report, by);
  const palette = paletteOf(tokens, by);
  const row = height / Math.max(1, layout.nRows);
  const batches: number[][] = Array.from({ length: N_COLORS }, () => []);
  eachVisible(layout, { from: 0, to: 1, firstRow: 0, lastRow: layout.nRows, width }, (box, left, right) => {
    batches[numberAt(colors, box)]?.push(left, numberAt(layout.row, box) * row, right - left);
  });
  batches.forEach((boxes, color) => {
    context.fillStyle = palette[color] ?? tokens.rest;
    for (let i = 0; i < boxes.length; i += 3)
      context.fillRect(numberAt(boxes, i), numberAt(boxes, i + 1), numberAt(boxes, i + 2), Math.max(1, row));
  });
}

import type { ColorBy } from '../../logic/flame/colors';
import { numberAt } from '../../logic/number-at';
import { eachVisible } from '../../logic/flame/layout';
import { createLabelPainter } from './labels';
import { colorsOf, N_COLORS, paletteOf } from './palette';
import { FLAME_ROW, type FlameScene } from './scene';
import type { PaintTokens } from '../tokens';

/** Boxes narrower than this many pixels have no label. */
const MIN_LABEL = 30;

/** Paints boxes; buffers are kept from frame to frame. */
export interface FlamePainter {
  /** How many boxes were painted. */
  paint(scene: FlameScene): number;
}

/** How boxes are dimmed: those that the search does not match, callers of the zoomed box; others are not. */
const MISSED = 0;
const CALLER = 1;
const PLAIN = 2;
const ALPHAS: readonly number[] = [0.28, 0.45, 1];
const LABEL_ALPHAS: readonly number[] = [0.55, 0.75, 1];
const N_BATCHES = ALPHAS.length * N_COLORS;

/** The boxes of a frame, in the order of the walk. */
interface Found {
  box: Int32Array;
  x: Float32Array;
  width: Float32Array;
  batch: Uint16Array;
  /** The same by batch. */
  order: Int32Array;
}

/** State of a frame while it is painted. */
interface Frame {
  readonly context: CanvasRenderingContext2D;
  readonly found: Found;
  /** Batch → number of its boxes, later its start in `found.order`, shifted by one. */
  readonly start: Int32Array;
  /** Number of boxes. */
  n: number;
}

function room(n: number): Found {
  return {
    box: new Int32Array(n),
    x: new Float32Array(n),
    width: new Float32Array(n),
    batch: new Uint16Array(n),
    order: new Int32Array(n),
  };
}

export function createFlamePainter(context: CanvasRenderingContext2D): FlamePainter {
  const labels = createLabelPainter(context);
  const start = new Int32Array(N_BATCHES + 1);
  let found = room(1024);
  let palette: { readonly tokens: PaintTokens; readonly by: ColorBy; readonly colors: readonly string[] } | undefined;
  return {
    paint: (scene) => {
      const { layout, view, tokens, by } = scene;
      if (palette?.tokens !== tokens || palette.by !== by) palette = { tokens, by, colors: paletteOf(tokens, by) };
      const ratio = context.canvas.width / Math.max(1, view.width);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, view.width, scene.height);
      if (found.box.length < layout.n) found = room(2 * layout.n);
      const frame: Frame = { context, found, start, n: 0 };
      collect(frame, scene, ratio);
      fill(frame, scene, palette.colors);
      if (scene.shimmer > 0) shimmer(frame, scene);
      labels.begin(scene);
      for (let i = 0; i < frame.n; i++) {
        const [x, width] = [numberAt(found.x, i), numberAt(found.width, i)];
        if (width < MIN_LABEL) continue;
        labels.paint(scene, numberAt(found.box, i), x, width, LABEL_ALPHAS[Math.floor(numberAt(found.batch, i) / N_COLORS)] ?? 1);
      }
      context.globalAlpha = 1;
      outline(frame, scene);
      return frame.n;
    },
  };
}

/** Finds the boxes in the window, and counts those of each batch. */
function collect(frame: Frame, { report, layout, view, marks, by }: FlameScene, ratio: number): void {
  const { found, start } = frame;
  const { box: boxes, x: xs, width: widths, batch: batches } = found;
  const colors = colorsOf(report, by);
  let n = 0;
  let [lastRow, lastPixel] = [-1, -1];
  start.fill(0);
  eachVisible(layout, view, (box, left, right) => {
    // Boxes within the same pixel are painted as one.
    if (right - left < 1.5) {
      const row = numberAt(layout.row, box);
      const pixel = Math.round(left * ratio);
      if (row === lastRow && pixel === lastPixel) return;
      [lastRow, lastPixel] = [row, pixel];
    }
    const x = Math.max(-2, left);
    const named = numberAt(report.node, box);
    const isMissed = marks.matches !== undefined && (named < 0 || numberAt(marks.matches, named) === 0);
    boxes[n] = box;
    xs[n] = x;
    widths[n] = Math.min(view.width + 2, right) - x;
    const batch = numberAt(colors, box) + N_COLORS * (isMissed ? MISSED : box < layout.root ? CALLER : PLAIN);
    batches[n] = batch;
    start[batch + 1] = numberAt(start, batch + 1) + 1;
    n++;
  });
  frame.n = n;
}

/** Fills all boxes of a colour at once, dimmed ones first. */
function fill({ context, found, start, n }: Frame, { report, layout, scrollTop }: FlameScene, colors: readonly string[]): void {
  const { box: boxes, x: xs, width: widths, batch: batches, order } = found;
  for (let c = 0; c < N_BATCHES; c++) start[c + 1] = numberAt(start, c + 1) + numberAt(start, c);
  for (let i = n - 1; i >= 0; i--) {
    const batch = numberAt(batches, i);
    const slot = numberAt(start, batch + 1) - 1;
    start[batch + 1] = slot;
    order[slot] = i;
  }
  // `start[c + 1]` is now where batch c begins.
  let at = 0;
  while (at < n) {
    const batch = numberAt(batches, numberAt(order, at));
    context.globalAlpha = ALPHAS[Math.floor(batch / N_COLORS)] ?? 1;
    context.fillStyle = colors[batch % N_COLORS] ?? '';
    context.beginPath();
    for (; at < n && numberAt(batches, numberAt(order, at)) === batch; at++) {
      const i = numberAt(order, at);
      const box = numberAt(boxes, i);
      const width = numberAt(widths, i);
      const y = numberAt(layout.row, box) * FLAME_ROW - scrollTop;
      // Inlined code has no border to the function that contains it.
      const inlined = numberAt(report.inlined, box);
      const shown = Math.max(0.7, width - (width > 3 ? 1 : 0));
      if (width > 6) context.roundRect(numberAt(xs, i), y - inlined, shown, FLAME_ROW - 1 + inlined, 2);
      else context.rect(numberAt(xs, i), y - inlined, shown, FLAME_ROW - 1 + inlined);
    }
    context.fill();
  }
  context.globalAlpha = 1;
}

/** Folded boxes whose detail is loading. */
function shimmer({ context, found, n }: Frame, { report, layout, scrollTop, tokens, shimmer: strength }: FlameScene): void {
  context.globalAlpha = 0.35 * strength;
  context.fillStyle = tokens.accent;
  for (let i = 0; i < n; i++) {
    const box = numberAt(found.box, i);
    if (numberAt(report.node, box) >= 0 || box === 0) continue;
    context.fillRect(numberAt(found.x, i), numberAt(layout.row, box) * FLAME_ROW - scrollTop, numberAt(found.width, i), FLAME_ROW - 1);
  }
  context.globalAlpha = 1;
}

/** Borders of the box under the pointer, the box at the keyboard cursor, and the boxes of the selected function. */
function outline({ context, found, n }: Frame, { report, layout, marks, scrollTop, tokens }: FlameScene): void {
  const { box: boxes, x: xs, width: widths } = found;
  for (let i = 0; i < n; i++) {
    const box = numberAt(boxes, i);
    const row = numberAt(report.node, box);
    const strong = box === marks.cursor || (row >= 0 && marks.selected !== undefined && numberAt(marks.selected, row) !== 0);
    if (!strong && box !== marks.hover) continue;
    context.strokeStyle = strong ? tokens.accent : tokens.text;
    context.lineWidth = strong ? 2 : 1;
    const y = numberAt(layout.row, box) * FLAME_ROW - scrollTop;
    context.strokeRect(numberAt(xs, i) + 0.5, y + 0.5, Math.max(1, numberAt(widths, i) - 2), FLAME_ROW - 2);
  }
}

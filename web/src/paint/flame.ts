import type { FlameReport } from '../api/types';
import { diffStep, hueOf, N_DIFF_STEPS, PLUMBING } from '../logic/color';
import { eachVisible, get, type FlameLayout, type FlameView } from '../logic/flame-layout';
import { createLabelPainter } from './flame-labels';
import type { PaintTokens } from './tokens';

export const FLAME_ROW = 20;
export const FLAME_PAD = 8;
const MIN_LABEL = 30;

/** What of the boxes stands out. Arrays are by row of the report. */
export interface FlameMarks {
  readonly matches: Uint8Array | undefined;
  readonly selected: Uint8Array | undefined;
  readonly hover: number;
  readonly cursor: number;
}

export interface FlameScene {
  readonly report: FlameReport;
  readonly layout: FlameLayout;
  readonly view: FlameView;
  /** Pixels of the layout above the window. */
  readonly scrollTop: number;
  readonly height: number;
  readonly marks: FlameMarks;
  readonly tokens: PaintTokens;
}

/** Paints boxes; what it needs for a frame is kept from frame to frame. */
export interface FlamePainter {
  /** How many boxes were painted. */
  paint(scene: FlameScene): number;
}

/** Colours by number: hues, what was folded, differences; each once more for what the search does not find. */
const REST = PLUMBING + 1;
const DIFF = REST + 1;
const N_COLORS = DIFF + 2 * N_DIFF_STEPS + 1;

/** The boxes of a frame, in the order in which they are met. */
interface Found {
  box: Int32Array;
  x: Float32Array;
  width: Float32Array;
  batch: Uint8Array;
  /** The same by batch. */
  order: Int32Array;
}

function room(n: number): Found {
  return {
    box: new Int32Array(n),
    x: new Float32Array(n),
    width: new Float32Array(n),
    batch: new Uint8Array(n),
    order: new Int32Array(n),
  };
}

export function createFlamePainter(context: CanvasRenderingContext2D): FlamePainter {
  const labels = createLabelPainter(context);
  const start = new Int32Array(2 * N_COLORS + 1);
  let found = room(1024);
  return {
    paint: (scene) => {
      const { report, layout, view, marks } = scene;
      const ratio = context.canvas.width / Math.max(1, view.width);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, view.width, scene.height);
      if (found.box.length < layout.n) found = room(2 * layout.n);
      const { box: boxes, x: xs, width: widths, batch: batches } = found;
      const hues = huesOf(report);
      const isDiff = report.cum_base.length > 0;
      let n = 0;
      let [lastDepth, lastPixel] = [-1, -1];
      start.fill(0);
      eachVisible(layout, view, (box, left, right) => {
        // Slivers in the same pixel are one.
        if (right - left < 1.5) {
          const depth = get(layout.depth, box);
          const pixel = Math.round(left * ratio);
          if (depth === lastDepth && pixel === lastPixel) return;
          [lastDepth, lastPixel] = [depth, pixel];
        }
        const x = Math.max(-2, left);
        const row = get(report.node, box);
        const dim = marks.matches !== undefined && (row < 0 || get(marks.matches, row) === 0);
        const color = isDiff
          ? DIFF + N_DIFF_STEPS + diffStep(get(report.cum, box), get(report.cum_base, box))
          : row < 0
            ? REST
            : get(hues, row);
        boxes[n] = box;
        xs[n] = x;
        widths[n] = Math.min(view.width + 2, right) - x;
        const batch = dim ? color : color + N_COLORS;
        batches[n] = batch;
        start[batch + 1] = get(start, batch + 1) + 1;
        n++;
      });
      fill(scene, n);
      labels.begin(scene);
      for (let i = 0; i < n; i++) {
        const [x, width] = [get(xs, i), get(widths, i)];
        if (width >= MIN_LABEL) labels.paint(scene, get(boxes, i), x, width, get(batches, i) < N_COLORS);
      }
      context.globalAlpha = 1;
      outline(scene, n);
      return n;
    },
  };

  /** All boxes of a colour at once, what the search does not find first. */
  function fill({ report, layout, scrollTop, tokens }: FlameScene, n: number): void {
    const { box: boxes, x: xs, width: widths, batch: batches, order } = found;
    for (let c = 0; c < 2 * N_COLORS; c++) start[c + 1] = get(start, c + 1) + get(start, c);
    for (let i = n - 1; i >= 0; i--) {
      const batch = get(batches, i);
      const slot = get(start, batch + 1) - 1;
      start[batch + 1] = slot;
      order[slot] = i;
    }
    // `start[c + 1]` is now where batch c begins.
    let at = 0;
    while (at < n) {
      const batch = get(batches, get(order, at));
      context.globalAlpha = batch < N_COLORS ? 0.28 : 1;
      context.fillStyle = colorAt(tokens, batch % N_COLORS);
      context.beginPath();
      for (; at < n && get(batches, get(order, at)) === batch; at++) {
        const i = get(order, at);
        const box = get(boxes, i);
        const width = get(widths, i);
        const y = get(layout.depth, box) * FLAME_ROW - scrollTop;
        // Inlined code has no border to the function it became part of.
        const inlined = get(report.inlined, box);
        const shown = Math.max(0.7, width - (width > 3 ? 1 : 0));
        if (width > 6) context.roundRect(get(xs, i), y - inlined, shown, FLAME_ROW - 1 + inlined, 2);
        else context.rect(get(xs, i), y - inlined, shown, FLAME_ROW - 1 + inlined);
      }
      context.fill();
    }
    context.globalAlpha = 1;
  }

  function outline({ report, layout, marks, scrollTop, tokens }: FlameScene, n: number): void {
    const { box: boxes, x: xs, width: widths } = found;
    for (let i = 0; i < n; i++) {
      const box = get(boxes, i);
      const row = get(report.node, box);
      const strong = box === marks.cursor || (row >= 0 && marks.selected !== undefined && get(marks.selected, row) !== 0);
      if (!strong && box !== marks.hover) continue;
      context.strokeStyle = strong ? tokens.accent : tokens.text;
      context.lineWidth = strong ? 2 : 1;
      const y = get(layout.depth, box) * FLAME_ROW - scrollTop;
      context.strokeRect(get(xs, i) + 0.5, y + 0.5, Math.max(1, get(widths, i) - 2), FLAME_ROW - 2);
    }
  }
}

function colorAt(tokens: PaintTokens, color: number): string {
  if (color === REST) return tokens.rest;
  return (color >= DIFF ? tokens.diffs[color - DIFF] : tokens.hues[color]) ?? tokens.rest;
}

const known = new WeakMap<FlameReport, Uint8Array>();

/** Row → number of its hue, found once for each report. */
function huesOf(report: FlameReport): Uint8Array {
  const hues = known.get(report) ?? Uint8Array.from(report.row, (row) => hueOf(row));
  known.set(report, hues);
  return hues;
}

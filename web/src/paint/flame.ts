import type { FlameReport } from '../api/types';
import { diffStep, hueOf, N_DIFF_STEPS } from '../logic/color';
import { eachVisible, get, type FlameLayout, type FlameView } from '../logic/flame-layout';
import { formatDelta } from '../logic/format';
import { functionOf, shortNames } from '../logic/names';
import { fitText, measureWith, textWidth, type CharWidths } from '../logic/text-fit';
import type { PaintTokens } from './tokens';

export const FLAME_ROW = 20;
const FONT_SIZE = 11.5;
const MIN_LABEL = 30;
const PADDING = 5;
const STICKY_DELTA = 190;

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
  readonly scrollTop: number;
  readonly height: number;
  readonly marks: FlameMarks;
  readonly tokens: PaintTokens;
}

/** Paints boxes; remembers names' short forms and widths of letters between frames. */
export interface FlamePainter {
  paint(scene: FlameScene): number;
}

/** `1 → x, 2 → y`: a rectangle for the fill pass. */
interface Batch {
  readonly color: string;
  readonly rects: number[];
}

export function createFlamePainter(context: CanvasRenderingContext2D): FlamePainter {
  let widths: CharWidths | undefined;
  let font = '';
  let formsOf: (readonly string[] | undefined)[] = [];
  let formsFor: FlameReport | undefined;

  const forms = (report: FlameReport, row: number): readonly string[] => {
    if (formsFor !== report) {
      formsFor = report;
      formsOf = [];
    }
    return (formsOf[row] ??= shortNames(nameAt(report, row)));
  };

  return {
    paint: (scene) => {
      const { report, layout, view, tokens, marks } = scene;
      const ratio = context.canvas.width / Math.max(1, view.width);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, view.width, scene.height);
      if (font !== tokens.font || widths === undefined) {
        font = tokens.font;
        context.font = `${FONT_SIZE}px ${font}`;
        widths = measureWith((text) => context.measureText(text).width);
      }
      const measured = widths;
      const strong = new Map<string, Batch>();
      const weak = new Map<string, Batch>();
      const labels: number[] = [];
      const outlines: number[] = [];
      let painted = 0;
      let [lastDepth, lastPixel] = [-1, -1];
      eachVisible(layout, view, (box, left, right) => {
        const depth = get(layout.depth, box);
        const x = Math.max(-2, left);
        const width = Math.min(view.width + 2, right) - x;
        // Slivers in the same pixel are one.
        if (right - left < 1.5) {
          const pixel = Math.round(left * ratio);
          if (depth === lastDepth && pixel === lastPixel) return;
          [lastDepth, lastPixel] = [depth, pixel];
        }
        painted++;
        const row = get(report.node, box);
        const color = colorOf(report, box, row, tokens);
        const dim = marks.matches !== undefined && (row < 0 || get(marks.matches, row) === 0);
        const batches = dim ? weak : strong;
        const batch = batches.get(color) ?? { color, rects: [] };
        batches.set(color, batch);
        const inlined = get(report.inlined, box) !== 0;
        const y = depth * FLAME_ROW - scene.scrollTop;
        // Inlined code has no border to the function it became part of.
        batch.rects.push(x, inlined ? y - 1 : y, Math.max(0.7, width - (width > 3 ? 1 : 0)), inlined ? FLAME_ROW : FLAME_ROW - 1);
        if (width >= MIN_LABEL) labels.push(box, x, y, width, dim ? 1 : 0);
        const isSelected = row >= 0 && marks.selected !== undefined && get(marks.selected, row) !== 0;
        if (isSelected || box === marks.hover || box === marks.cursor)
          outlines.push(box, x, y, width, isSelected || box === marks.cursor ? 2 : 1);
      });
      context.globalAlpha = 0.28;
      fill(context, weak);
      context.globalAlpha = 1;
      fill(context, strong);
      paintLabels(labels, scene, measured, (row) => forms(report, row));
      paintOutlines(outlines, tokens);
      return painted;
    },
  };

  function paintLabels(
    labels: readonly number[],
    { report, tokens, view }: FlameScene,
    measured: CharWidths,
    formsAt: (row: number) => readonly string[],
  ): void {
    context.font = `${FONT_SIZE}px ${font}`;
    context.textBaseline = 'middle';
    const isDiff = report.cum_base.length > 0;
    const { unit, output_unit: outputUnit } = report.header;
    for (let i = 0; i < labels.length; i += 5) {
      const [box = 0, x = 0, y = 0, width = 0, dim = 0] = labels.slice(i, i + 5);
      const left = Math.max(0, x) + PADDING;
      let room = Math.min(view.width, x + width) - left - PADDING + 1;
      const row = get(report.node, box);
      context.globalAlpha = dim === 1 ? 0.55 : 1;
      context.fillStyle = row < 0 && box > 0 ? tokens.muted : tokens.text;
      const middle = y + FLAME_ROW / 2;
      let prefix = get(report.inlined, box) === 0 ? '' : '↳ ';
      if (isDiff) {
        const change = get(report.cum, box) - get(report.cum_base, box);
        prefix = (change > 0 ? '+ ' : change < 0 ? '− ' : '= ') + prefix;
        if (room > STICKY_DELTA) {
          const delta = formatDelta(change, unit, outputUnit);
          const size = textWidth(delta, measured);
          context.fillText(delta, left + room - size, middle);
          room -= size + 12;
        }
      }
      const names = box === 0 && row < 0 ? ['everything', 'all'] : row < 0 ? ['… smaller ones', '…'] : formsAt(row);
      const text = fitText(names, room - textWidth(prefix, measured), measured);
      if (text !== '' || prefix !== '') context.fillText(prefix + text, left, middle);
    }
    context.globalAlpha = 1;
  }

  function paintOutlines(outlines: readonly number[], tokens: PaintTokens): void {
    for (let i = 0; i < outlines.length; i += 5) {
      const [, x = 0, y = 0, width = 0, weight = 1] = outlines.slice(i, i + 5);
      context.strokeStyle = weight === 2 ? tokens.accent : tokens.text;
      context.lineWidth = weight === 2 ? 2 : 1;
      context.strokeRect(x + 0.5, y + 0.5, Math.max(1, width - 2), FLAME_ROW - 2);
    }
  }
}

const names = new WeakMap<FlameReport, (string | undefined)[]>();

/** The function of a row, found once for each report. */
function nameAt(report: FlameReport, row: number): string {
  const known = names.get(report) ?? [];
  names.set(report, known);
  const found = report.row[row];
  return (known[row] ??= found === undefined ? '' : functionOf(found));
}

function colorOf(report: FlameReport, box: number, row: number, tokens: PaintTokens): string {
  if (report.cum_base.length > 0) {
    return tokens.diffs[diffStep(get(report.cum, box), get(report.cum_base, box)) + N_DIFF_STEPS] ?? tokens.rest;
  }
  if (row < 0) return tokens.rest;
  return tokens.hues[hueOf(nameAt(report, row))] ?? tokens.rest;
}

function fill(context: CanvasRenderingContext2D, batches: ReadonlyMap<string, Batch>): void {
  for (const { color, rects } of batches.values()) {
    context.fillStyle = color;
    context.beginPath();
    for (let i = 0; i < rects.length; i += 4) {
      const [x = 0, y = 0, width = 0, height = 0] = [rects[i], rects[i + 1], rects[i + 2], rects[i + 3]];
      if (width > 6) context.roundRect(x, y, width, height, 2);
      else context.rect(x, y, width, height);
    }
    context.fill();
  }
}

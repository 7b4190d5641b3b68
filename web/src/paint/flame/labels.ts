import type { FlameReport } from '../../api/types';
import { numberAt } from '../../logic/number-at';
import { formatDelta, formatValue } from '../../logic/text/format';
import { functionOf, shortNames } from '../../logic/names/names';
import { cutText, measureWith, textWidth, type CharWidths } from '../../logic/text/text-fit';
import { FLAME_ROW, type FlameScene } from './scene';

const FONT_SIZE = 11.5;
const PADDING = 5;
/** Least width of boxes with a value at the right, in pixels; with a difference it is more. */
const WITH_VALUE = 130;
const WITH_BOTH = 300;
/** Distance between name and value, and between two values, in pixels. */
const GAP = 12;
/** Least space for the name, in pixels: with less, the value is left out. */
const NAME_ROOM = 60;

/** Forms of a name, longest first, each with its width in pixels. */
interface Label {
  readonly forms: readonly string[];
  readonly widths: Float32Array;
}

export interface LabelPainter {
  /** Prepares for the labels of a frame. */
  begin(scene: FlameScene): void;
  /** Paints the label of a box whose visible part begins at `x`, with the opacity `alpha`. */
  paint(scene: FlameScene, box: number, x: number, width: number, alpha: number): void;
}

/** Painter of names in boxes; measured widths are cached per font and report. */
export function createLabelPainter(context: CanvasRenderingContext2D): LabelPainter {
  let chars: CharWidths = measureWith(() => 0);
  let font = '';
  let rows: FlameReport['row'] | undefined;
  let labels: (Label | undefined)[] = [];
  let all: Label | undefined;
  let rest: Label | undefined;

  const labelOf = (forms: readonly string[]): Label => ({ forms, widths: Float32Array.from(forms, (form) => textWidth(form, chars)) });
  const labelAt = (report: FlameReport, row: number): Label => {
    const seen = labels[row];
    if (seen !== undefined) return seen;
    const found = report.row[row];
    const made = labelOf(found === undefined ? [] : shortNames(functionOf(found)));
    labels[row] = made;
    return made;
  };

  return {
    begin: ({ report, tokens }) => {
      context.font = `${FONT_SIZE}px ${tokens.font}`;
      context.textBaseline = 'middle';
      if (font !== tokens.font) {
        font = tokens.font;
        rows = undefined;
        chars = measureWith((text) => context.measureText(text).width);
        rest = labelOf(['… smaller ones', '…']);
      }
      if (rows !== report.row) {
        rows = report.row;
        labels = [];
        all = labelOf(report.header.unit === 'count' ? ['all objects', 'all'] : ['all memory', 'all']);
      }
    },
    paint: ({ report, layout, view, scrollTop, tokens }, box, x, width, alpha) => {
      const left = Math.max(0, x) + PADDING;
      let space = Math.min(view.width, x + width) - left - PADDING + 1;
      const row = numberAt(report.node, box);
      const middle = numberAt(layout.row, box) * FLAME_ROW - scrollTop + FLAME_ROW / 2;
      context.globalAlpha = alpha;
      context.fillStyle = row < 0 && box > 0 ? tokens.muted : tokens.text;
      const change = report.cum_base.length > 0 ? numberAt(report.cum, box) - numberAt(report.cum_base, box) : undefined;
      const value = valueText(report, box, change, space);
      if (value !== '') {
        const size = textWidth(value, chars);
        if (space - size - GAP >= NAME_ROOM) {
          context.fillText(value, left + space - size, middle);
          space -= size + GAP;
        }
      }
      const sign = change === undefined || Number.isNaN(change) ? '' : change > 0 ? '+ ' : change < 0 ? '− ' : '= ';
      const prefix = sign + (numberAt(report.inlined, box) === 0 ? '' : '↳ ');
      const label = row >= 0 ? labelAt(report, row) : box === 0 ? all : rest;
      const text = label === undefined ? '' : fitted(label, prefix === '' ? space : space - textWidth(prefix, chars), chars);
      if (text !== '' || prefix !== '') context.fillText(prefix + text, left, middle);
    },
  };
}

/** The longest form that fits, else the shortest one cut. */
function fitted({ forms, widths }: Label, space: number, chars: CharWidths): string {
  for (let i = 0; i < widths.length; i++) if (numberAt(widths, i) <= space) return forms[i] ?? '';
  return cutText(forms.at(-1) ?? '', space, chars);
}

/** Value of a box and its change; empty if there is no space, or the value is not loaded. */
function valueText(report: FlameReport, box: number, change: number | undefined, space: number): string {
  const cum = numberAt(report.cum, box);
  if (space < WITH_VALUE || Number.isNaN(cum)) return '';
  const { unit, output_unit: outputUnit } = report.header;
  const value = formatValue(cum, unit, outputUnit);
  if (change === undefined) return value;
  const delta = formatDelta(change, unit, outputUnit);
  return space < WITH_BOTH ? delta : `${value}   ${delta}`;
}

import type { FlameReport } from '../api/types';
import { get } from '../logic/flame-layout';
import { formatDelta } from '../logic/format';
import { functionOf, shortNames } from '../logic/names';
import { cutText, measureWith, textWidth, type CharWidths } from '../logic/text-fit';
import type { FlameScene } from './flame';

const ROW = 20;
const FONT_SIZE = 11.5;
const PADDING = 5;
const STICKY_DELTA = 190;

/** Ways to say a name, longest first, each with its width in pixels. */
interface Label {
  readonly forms: readonly string[];
  readonly widths: Float32Array;
}

export interface LabelPainter {
  /** Before the first label of a frame. */
  begin(scene: FlameScene): void;
  /** The label of a box whose visible part begins at `x`. */
  paint(scene: FlameScene, box: number, x: number, width: number, dim: boolean): void;
}

/** Names in boxes; what is measured is kept for as long as the font and the report are the same. */
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
  const fitted = ({ forms, widths }: Label, space: number): string => {
    for (let i = 0; i < widths.length; i++) if (get(widths, i) <= space) return forms[i] ?? '';
    return cutText(forms.at(-1) ?? '', space, chars);
  };

  return {
    begin: ({ report, tokens }) => {
      context.font = `${FONT_SIZE}px ${tokens.font}`;
      context.textBaseline = 'middle';
      if (font !== tokens.font) {
        font = tokens.font;
        rows = undefined;
        chars = measureWith((text) => context.measureText(text).width);
        all = labelOf(['everything', 'all']);
        rest = labelOf(['… smaller ones', '…']);
      }
      if (rows !== report.row) {
        rows = report.row;
        labels = [];
      }
    },
    paint: ({ report, layout, view, scrollTop, tokens }, box, x, width, dim) => {
      const left = Math.max(0, x) + PADDING;
      let space = Math.min(view.width, x + width) - left - PADDING + 1;
      const row = get(report.node, box);
      const middle = get(layout.depth, box) * ROW - scrollTop + ROW / 2;
      context.globalAlpha = dim ? 0.55 : 1;
      context.fillStyle = row < 0 && box > 0 ? tokens.muted : tokens.text;
      let prefix = get(report.inlined, box) === 0 ? '' : '↳ ';
      if (report.cum_base.length > 0) {
        const change = get(report.cum, box) - get(report.cum_base, box);
        prefix = (change > 0 ? '+ ' : change < 0 ? '− ' : '= ') + prefix;
        if (space > STICKY_DELTA) {
          const delta = formatDelta(change, report.header.unit, report.header.output_unit);
          const size = textWidth(delta, chars);
          context.fillText(delta, left + space - size, middle);
          space -= size + 12;
        }
      }
      const label = row >= 0 ? labelAt(report, row) : box === 0 ? all : rest;
      const text = label === undefined ? '' : fitted(label, prefix === '' ? space : space - textWidth(prefix, chars));
      if (text !== '' || prefix !== '') context.fillText(prefix + text, left, middle);
    },
  };
}

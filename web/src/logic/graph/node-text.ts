import type { GraphReport } from '../../api/types';
import { nodeFontSize, type Size } from './dot';
import { numberAt } from '../number-at';
import { formatDelta, formatPercent, formatValue } from '../text/format';
import { functionOf, shortNames } from '../names/names';
import { cutText, fitText, textWidth, type CharWidths } from '../text/text-fit';

/** Text of nodes and edges of the graph, and its size. */

/** Letters are measured at this size and scaled. */
export const MEASURED_AT = 12;
const SMALL = 11;
const LINE = 1.28;
const PAD_X = 10;
const PAD_Y = 6;
const MAX_TEXT = 230;

export interface TextLine {
  readonly text: string;
  readonly size: number;
  readonly kind: 'scope' | 'name' | 'value' | 'delta';
}
export interface NodeBox {
  readonly lines: readonly TextLine[];
  readonly size: Size;
  readonly share: number;
  readonly change: number;
}

function widthAt(text: string, size: number, widths: CharWidths): number {
  return (textWidth(text, widths) * size) / MEASURED_AT;
}

/** Text of a node: scope and name of the function, its own value, and its share of the total. */
export function nodeBox(report: GraphReport, node: number, widths: CharWidths): NodeBox {
  const { header } = report;
  const row = report.row[node];
  const name = row === undefined ? '' : functionOf(row);
  const [flat, cum] = [numberAt(report.flat, node), numberAt(report.cum, node)];
  const change = header.has_base ? cum - numberAt(report.cum_base, node) : 0;
  const size = nodeFontSize(flat, header.has_base ? header.value_total : header.total);
  const [scope, own] = splitName(name, widths);
  const value = (v: number): string => formatValue(v, header.unit, header.output_unit);
  const whole = header.has_base ? header.value_total : header.total;
  const lines: TextLine[] = [];
  if (scope !== '') lines.push({ text: cutText(scope, (MAX_TEXT * MEASURED_AT) / SMALL, widths), size: SMALL, kind: 'scope' });
  lines.push({ text: cutText(own, (MAX_TEXT * 1.2 * MEASURED_AT) / size, widths), size, kind: 'name' });
  lines.push({
    text: flat === 0 ? `0 of ${value(cum)} (${formatPercent(cum, whole)})` : `${value(flat)} (${formatPercent(flat, whole)})`,
    size: SMALL,
    kind: 'value',
  });
  if (flat !== 0 && flat !== cum) lines.push({ text: `of ${value(cum)} (${formatPercent(cum, whole)})`, size: SMALL, kind: 'value' });
  if (header.has_base)
    lines.push({ text: `${formatDelta(change, header.unit, header.output_unit)} since baseline`, size: SMALL, kind: 'delta' });
  const width = Math.max(...lines.map((l) => widthAt(l.text, l.size, widths) * (l.kind === 'name' ? 1.08 : 1))) + 2 * PAD_X;
  const height = lines.reduce((sum, l) => sum + l.size * LINE, 0) + 2 * PAD_Y;
  return { lines, size: { width: Math.max(56, width), height }, share: whole === 0 ? 0 : Math.min(1, Math.abs(flat / whole)), change };
}

/** Baselines of a node's lines, from its top. */
export function baselines(box: NodeBox): readonly number[] {
  let y = PAD_Y;
  return box.lines.map((line) => {
    y += line.size * LINE;
    return y - line.size * 0.34;
  });
}

/** `parity_db::log::Log::end_record` → `parity_db::log::Log` and `end_record`. */
function splitName(name: string, widths: CharWidths): readonly [string, string] {
  const forms = shortNames(name);
  const short = fitText(forms, MAX_TEXT * 1.7, widths);
  let level = 0;
  for (let i = short.length - 1; i > 0; i--) {
    const c = short.charAt(i);
    if (c === '>' || c === ')') level++;
    else if (c === '<' || c === '(') level--;
    // A closure needs the name of its function.
    else if (level === 0 && c === ':' && short.charAt(i - 1) === ':' && short.charAt(i + 1) !== '{')
      return [short.slice(0, i - 1), short.slice(i + 1)];
    else if (level === 0 && c === '.' && !/::|^\[/.test(short) && i > 1) return [short.slice(0, i), short.slice(i + 1)];
  }
  return ['', short];
}

export function tagBox(report: GraphReport, tag: number, widths: CharWidths): Size {
  return { width: widthAt(tagText(report, tag), SMALL, widths) + 14, height: 20 };
}

/** Sizes in the page's units: the server names labels as pprof does, `1.17kB` or `64B..96B`. */
function sizeName(name: string): string {
  const size = String.raw`-?[\d.]+[kMGTP]?B`;
  if (!new RegExp(`^${size}(\\.\\.${size})?$`).test(name)) return name;
  return name.replaceAll(
    /([\d.]+)([kMGTP]?)B/g,
    (_, number: string, power: string) => `${number} ${power === '' ? 'B' : `${power.toUpperCase()}iB`}`,
  );
}

export function tagText(report: GraphReport, tag: number): string {
  const { name = '', flat = 0, cum = 0 } = report.tags[tag] ?? {};
  return `${sizeName(name).slice(0, 40)} · ${formatValue(flat || cum, report.header.unit, report.header.output_unit)}`;
}

/** Label of an edge, and its size. */
export function edgeText(report: GraphReport, edge: number, widths: CharWidths): { readonly text: string; readonly size: Size } {
  const { header, edges } = report;
  const value = numberAt(edges.value, edge);
  const amount = header.has_base
    ? formatDelta(value - numberAt(edges.base, edge), header.unit, header.output_unit)
    : formatValue(value, header.unit, header.output_unit);
  const text = numberAt(edges.inlined, edge) === 0 ? amount : `${amount} inlined`;
  return { text, size: { width: widthAt(text, SMALL, widths) + 8, height: 16 } };
}

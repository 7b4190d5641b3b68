import type { FieldDoc, SourceEntry, SourceReport } from '../api/types';
import { compileRegex } from './regex';
import { parseView, QueryProblem } from './view';

/**
 * Source lines in a report file. They are not computed here: the file has those of its first view, and a question gets the
 * functions that it asks for. Under other filters the text stays, and a warning says whose numbers are beside it.
 */

/** Parameters of source reports only: which lines, not which numbers. */
const OF_SOURCE: ReadonlySet<string> = new Set(['list', 'list_around', 'list_files', 'line_code', 'line_calls', 'intel_syntax']);

/** Options that do not change the numbers of a line. */
const IRRELEVANT: ReadonlySet<string> = new Set(['unit', 'sort', 'nodecount', 'nodefraction', 'edgefraction', 'trim', 'granularity']);

/** The functions of `report` that a question asks for. Throws a QueryProblem when the file has none of them. */
export function source(report: SourceReport, fields: readonly FieldDoc[], params: readonly (readonly [string, string])[]): SourceReport {
  const param = (name: string): string => params.find(([key]) => key === name)?.[1] ?? '';
  const list = compileRegex(param('list'));
  if (!list.ok) throw new QueryProblem('list', `list: the expression ${JSON.stringify(param('list'))} does not compile`);
  const inPaths = param('list_files') !== '';
  const entry = report.entry.filter((e) => list.test(e.name) || (inPaths && list.test(e.file)));
  if (entry.length === 0)
    throw new QueryProblem('list', 'this report has no source lines of this function; it has those of the functions with most memory', 501);
  const view = parseView(
    'top',
    fields,
    params.filter(([name]) => !OF_SOURCE.has(name)),
  );
  const matters = ([name]: readonly string[]): boolean => !OF_SOURCE.has(name ?? '') && !IRRELEVANT.has(name ?? '');
  const [asked, embedded] = [view.query, report.header.query].map((pairs) => JSON.stringify(pairs.filter(matters)));
  const around = param('list_around');
  const shown = around === '' ? entry : entry.map((e) => linesAround(e, Number(around)));
  const warnings = param('line_code') === '' ? [] : ['no instructions: a report file has no machine code'];
  if (asked !== embedded) warnings.push('Values beside source lines are those of the view for which this report was made');
  return {
    ...report,
    entry: shown,
    header: { ...report.header, warnings, output_unit: view.texts.get('unit') ?? report.header.output_unit },
  };
}

/** The lines near the heaviest one. */
function linesAround(entry: SourceEntry, around: number): SourceEntry {
  const { lines } = entry;
  const weight = (i: number): number => Math.abs((lines.cum[i] ?? 0) - (lines.cum_base[i] ?? 0));
  let heaviest = -1;
  lines.number.forEach((n, i) => {
    if (n > 0 && (heaviest < 0 || weight(i) > weight(heaviest))) heaviest = i;
  });
  const middle = lines.number[heaviest];
  if (middle === undefined) return entry;
  const first = Math.max(entry.first_line, middle - around);
  const last = Math.min(entry.last_line, middle + around);
  const isNear = (i: number): boolean => (lines.number[i] ?? 0) >= first && (lines.number[i] ?? 0) <= last;
  const part = <T>(column: readonly T[]): readonly T[] => column.filter((_, i) => isNear(i));
  return {
    ...entry,
    first_line: first,
    last_line: last,
    lines: {
      number: part(lines.number),
      text: part(lines.text),
      flat: part(lines.flat),
      cum: part(lines.cum),
      flat_base: part(lines.flat_base),
      cum_base: part(lines.cum_base),
    },
  };
}

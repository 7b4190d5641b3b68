import type { GrowthReport, Header, Meta, Row, Spread, SummaryReport, SummarySum, Trend } from '../api/types';
import { markdownCode, markdownText } from './markdown';
import { growthNotes } from '../logic/timeline/summary-growth';
import { matchedBuilds } from '../logic/builds';
import { wrapperNames } from '../logic/ownership/wrappers';
import { percentage, iecLabel } from './units';

/** The answer in a few sentences of Markdown: the server's, to the letter (`src/render/explain.rs`). */

/** Rows of what grows, and warnings, that are told. */
const [GROWING, WARNINGS] = [8, 6];

type Numbers = (value: number) => string;

export function explain(summary: SummaryReport, growth: GrowthReport | undefined, meta: Meta): string {
  const { header } = summary;
  const unit = header.output_unit === 'minimum' ? 'auto' : header.output_unit;
  const numbers: Numbers = (value) => iecLabel(divided(value, header), header.unit, unit);
  const lines = [
    ...head(summary, numbers),
    ...culprits(summary, numbers),
    ...packages(summary, numbers),
    ...(growth !== undefined && growth.dump.length > 1 ? overTheSeries(growth, unit) : []),
    ...sureness(header, meta, numbers),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function divided(value: number, { divide_by: by }: Header): number {
  return by === 1 ? value : Math.trunc(value / by);
}

function head({ header, total, culprit, n_grown: nGrown, n_shrunk: nShrunk }: SummaryReport, numbers: Numbers): readonly string[] {
  const of = header.file === '' ? 'Heap profile' : `Heap profile of ${markdownCode(header.file)}`;
  const change = header.value_total - header.base_total;
  const objects = total.find((t) => t.value_type === header.companion_type);
  const inObjects = objects !== undefined && header.companion_unit === 'count' ? ` in ${grouped(objects.value)} objects` : '';
  const what = inUse(header.value_type);
  const gross = header.gross ?? { grown: 0, shrunk: 0 };
  const share = header.base_total === 0 ? '' : `, ${signed(change, header.base_total)}`;
  const sentence = header.has_base
    ? `**${plus(change)}${numbers(change)}** ${what} since the base (${numbers(header.base_total)} before, ${numbers(header.value_total)} now${share}). Grown: ${numbers(gross.grown)} in ${nGrown} functions; shrunk: ${numbers(gross.shrunk)} in ${nShrunk}.`
    : `**${numbers(header.value_total)}** ${what}${inObjects}. ${mostOfIt(header.value_total, culprit)}`;
  const facts = [
    ...(header.time_nanos === 0 ? [] : [`taken ${markdownText(clock(header.time_nanos))}`]),
    ...(header.build_id === '' ? [] : [`build id ${markdownCode(header.build_id)}`]),
    ...header.filters.map((filter) => `only ${markdownCode(filter)}`),
  ];
  return [`## ${of}`, '', sentence, ...(facts.length === 0 ? [] : [`${facts.join(', ')}.`])];
}

/** What a value type is called, `inuse_space` and the like. */
function inUse(valueType: string): string {
  const at = valueType.lastIndexOf('_');
  const front = at < 0 ? '' : valueType.slice(0, at);
  const of = valueType.slice(at + 1) === 'objects' ? 'objects ' : '';
  if (front === 'inuse') return `${of}in use`;
  return front === 'alloc' ? `${of}allocated` : markdownText(valueType);
}

/** How few functions hold most of it. */
function mostOfIt(total: number, culprit: SummaryReport['culprit']): string {
  let sum = 0;
  for (const [i, { row, sum: more }] of culprit.entries()) {
    sum += more.value;
    if (total > 0 && sum >= total * 0.8) {
      const share = percentage(sum, total).trim();
      return `${share} of it is held by ${i === 0 ? markdownCode(row.name) : `${i + 1} functions`}.`;
    }
  }
  return '';
}

function culprits({ header, culprit, rest, n_culprits: n }: SummaryReport, numbers: Numbers): readonly string[] {
  const base = header.has_base;
  const title = ['', `### ${base ? 'What grew and shrank' : 'Top memory holders'}`, ''];
  const told = culprit.filter(({ sum }) => sum.value !== sum.base);
  const nothing = header.filters.length === 0 ? 'The profile has no samples.' : 'No samples match the filters.';
  if (told.length === 0) return [...title, base ? 'Nothing changed.' : nothing];
  const line = (sum: SummarySum, spread: Spread | null | undefined, name: string, whose: string): string => {
    const change = sum.value - sum.base;
    const error = (base ? spread?.change_error : spread?.error) ?? 0;
    const now = base ? ` | ${numbers(sum.base)} | ${numbers(sum.value)}` : '';
    const share = base ? signed(change, header.total) : percentage(change, header.total).trim();
    return `| ${base ? plus(change) : ''}${numbers(change)}${error > 0 ? ` ±${numbers(error)}` : ''} | ${share} | ${name} | ${whose}${now} |`;
  };
  const place = ({ file, line: at }: Row): string => (file === '' ? '' : ` ${markdownText(`${lastPart(file)}${at > 0 ? `:${at}` : ''}`)}`);
  const others = n - culprit.length;
  return [
    ...title,
    `| | share | function | package${base ? ' | before | now' : ''} |`,
    `|--:|--:|---|---${base ? '|--:|--:' : ''}|`,
    ...told.map(({ row, sum, spread }) => line(sum, spread, `${markdownCode(row.name)}${place(row)}`, markdownText(whoseOf(row)))),
    ...(rest.value === rest.base ? [] : [line(rest, undefined, others > 0 ? `${others} others` : 'without a stack', '')]),
  ];
}

/** `serde_json 1.0.154, third party`. */
function whoseOf({ package: name, version, kind }: Pick<Row, 'package' | 'version' | 'kind'>): string {
  const word = kind === 'third_party' ? 'third party' : kind === 'own' ? 'your code' : kind === 'plumbing' ? 'async glue' : kind;
  const whole = [name, version].filter((part) => part !== '').join(' ');
  return whole === '' ? word : `${whole}, ${word}`;
}

function packages({ header, package: all }: SummaryReport, numbers: Numbers): readonly string[] {
  const told = all
    .filter(({ sum }) => sum.value !== sum.base)
    .map((owner) => {
      const change = owner.sum.value - owner.sum.base;
      const sign = header.has_base ? plus(change) : '';
      return `${markdownText(whoseOf(owner))} ${sign}${numbers(change)} (${header.has_base ? signed(change, header.total) : percentage(change, header.total).trim()})`;
    });
  return told.length > 1 ? ['', `By package: ${told.join('; ')}.`] : [];
}

function overTheSeries(growth: GrowthReport, unit: string): readonly string[] {
  const { header, dump, total, axis, row: rows } = growth;
  const numbers: Numbers = (value) => iecLabel(divided(value, header), header.unit, unit);
  const [from, to] = [dump[0]?.time_nanos ?? 0, dump.at(-1)?.time_nanos ?? 0];
  const times = from === 0 || to === 0 ? '' : ` (${markdownText(clock(from))} to ${markdownText(clock(to))})`;
  const by = axis === 's' ? `${numbers(Math.trunc(total.slope * 3600))} an hour` : `${numbers(Math.trunc(total.slope))} a dump`;
  const sentence = `From ${numbers(total.first)} to ${numbers(total.last)}${times}: ${howOf(total)}${total.slope > 0 ? `, ${by}` : ''}.`;
  const title = ['', `### Over ${dump.length} dumps`, '', sentence];
  const notes = growthNotes(growth, numbers).map(markdownText);
  const isShort = dump.length < growth.fewest;
  const isGrowing = ({ shape, last, first }: Trend): boolean => (shape === 'leak' || shape === 'step') && last > first;
  const growing = rows.filter((row) => (isShort ? row.share > 0 : isGrowing(row.trend))).slice(0, GROWING);
  if (growing.length === 0) return [...title, ...notes, isShort ? 'Nothing grew from first to last.' : 'No growth is certain.'];
  const lines = growing.map(({ row, trend, share }) => {
    const began = trend.began === null || trend.began === undefined ? undefined : dump[trend.began];
    const since = began === undefined ? '' : markdownText(began.time_nanos === 0 ? lastPart(began.name) : clock(began.time_nanos));
    const change = trend.last - trend.first;
    const part = percentage(share, 1).trim();
    return `| ${plus(change)}${numbers(change)} | ${part} | ${markdownCode(row.name)} | ${howOf(trend)} | ${since} |`;
  });
  return [...title, ...notes, '', '| | share of growth | function | how | since |', '|--:|--:|---|---|---|', ...lines];
}

/** How values went. */
function howOf({ shape, in_steps: inSteps }: Trend): string {
  switch (shape) {
    case 'leak':
      return inSteps ? 'grows in steps' : 'grows steadily';
    case 'step':
      return 'grew at once, then stays';
    case 'plateau':
      return 'grew, then stays';
    case 'sawtooth':
      return 'grows and falls back';
    case 'noise':
      return 'goes up and down';
    case 'shrinking':
      return 'shrinks';
    case 'flat':
      return 'hardly changes';
    case 'unknown':
      return 'too few dumps to classify';
  }
}

function sureness(header: Header, meta: Meta, numbers: Numbers): readonly string[] {
  const said: string[] = [];
  const { spread } = header;
  if (spread !== null && spread !== undefined) {
    const [of, error] = header.has_base ? ['The change', spread.change_error] : ['The total', spread.error];
    const every = iecLabel(header.period, 'bytes', 'auto');
    const samples = grouped(spread.samples + spread.samples_base);
    said.push(
      `Sampled, one allocation every ${every} on average: ${samples} samples. ${of} has a standard error of ${numbers(error)}: the true value is within twice that in 95% of cases.`,
    );
    if (header.within_noise > 0) said.push(`${numbers(header.within_noise)} of all changes is within the sampling error.`);
  }
  if (header.builds !== null && header.builds !== undefined) said.push(`${markdownText(matchedBuilds(header.builds))}.`);
  if (header.wrappers.length > 0) said.push(`Charged to their callers, as allocation wrappers: ${markdownText(wrapperNames(header))}.`);
  const { verdict, modules } = meta.symbols;
  if (verdict !== '') {
    said.push(`Names: ${markdownText(verdict.replace(/\.+$/, ''))}.`);
    const unnamed = modules.filter((module) => !module.is_system && module.problem !== '');
    said.push(...unnamed.map(({ name, problem }) => `${markdownCode(lastPart(name))}: ${markdownText(problem.replace(/\.+$/, ''))}.`));
  }
  const all = [...meta.warnings, ...header.warnings];
  said.push(...all.slice(0, WARNINGS).map(markdownText));
  if (all.length > WARNINGS) said.push(`and ${all.length - WARNINGS} more warnings`);
  return said.length === 0 ? [] : ['', '### Confidence', '', ...said.map((line) => `- ${line}`)];
}

/** A count with its thousands apart. */
function grouped(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 0 });
}

function plus(change: number): string {
  return change > 0 ? '+' : '';
}

/** A signed share of what there was. */
function signed(change: number, base: number): string {
  return `${change < 0 ? '-' : plus(change)}${percentage(change, base).trim()}`;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A moment as the server tells it. */
function clock(nanos: number): string {
  return new Date(nanos / 1e6)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}

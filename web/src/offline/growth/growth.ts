import type { GrowthReport, GrowthRow, Trend } from '../../api/types';
import { numberAt as get } from '../../logic/number-at';
import { headerOf, type Answer } from '../answer';
import { compareTexts } from '../order';
import { nameOf } from '../sums';
import { rowOf } from '../top';
import { nodeCount } from '../cut';
import { NO_ROW } from '../keys';
import { text } from '../profile';
import { factor } from '../units';
import { growthBy } from './by';
import { LOST_ROWS, makeColumns } from './columns';
import { withoutExit } from './exit';
import type { Line } from './line';
import { seriesOf } from './series';
import { FEWEST, judge, MOST, type Judged } from './shape';

/** What grows from dump to dump, since when, and how sure that is (`analyze/growth/mod.rs`). */

/** So many rows are judged at most, those that move most. */
const JUDGED = 2000;
const PAIRS = 40_000_000;
const VALUES = 1_000_000;

interface Ranked {
  readonly row: number;
  readonly judged: Judged;
  readonly group: number;
  readonly growth: number;
}

export function growth(answer: Answer): GrowthReport {
  const { profile, view } = answer;
  const columns = makeColumns(answer);
  const header = headerOf(answer);
  // One sample more or less, where only some allocations were recorded.
  const noise = factor(header.unit, 'bytes') === 1 ? header.period : 0;
  const isCumulative = header.value_type.startsWith('alloc');
  if (isCumulative) header.warnings = [...header.warnings, cumulativeWarning(answer, header)];
  const name = (row: number): string => nameBy(answer, row);
  const isLost = (row: number): boolean => name(row) === LOST_ROWS;
  // Who names dumps wants just these.
  const whole = seriesOf(profile.dumps, view);
  const { series, atExit } =
    isCumulative || view.dumps.has('dump') ? { series: whole, atExit: undefined } : withoutExit(answer, columns, isLost, whole);
  const judged = (values: Float64Array): Judged => {
    const found = judge(series.at, values, noise);
    if (!isCumulative) return whileHeld(found, series.at, values);
    return { ...found, shape: found.shape === 'flat' ? 'flat' : 'unknown', inSteps: false };
  };
  const extents = columns.extents(series.dump);
  const uncertain = Math.max(0, ...columns.lost(series.dump));
  const range = (row: number): number => get(extents.high, row) - get(extents.low, row);
  const byRange = (a: number, b: number): number => range(b) - range(a) || compareTexts(name(a), name(b)) || a - b;
  const rows = Array.from({ length: columns.nRows }, (_, row) => row)
    .filter((row) => get(extents.low, row) !== 0 || get(extents.high, row) !== 0)
    .sort(byRange);
  const change = (row: number): number => get(extents.last, row) - get(extents.first, row);
  const known = rows.filter((row) => !isLost(row));
  const [up, down] = [known.filter((row) => change(row) > 0), known.filter((row) => change(row) < 0)];
  const sum = (some: readonly number[]): number => some.reduce((all, row) => all + change(row), 0);
  const grown = sum(up);
  const nDumps = series.dump.length;
  const lookedAt = Math.min(JUDGED, Math.floor(PAIRS / Math.min(nDumps, MOST) ** 2));
  const judgements = columns.of(rows.slice(0, lookedAt), series.dump).map(judged);
  const ranked = rows.map((row, i): Ranked => {
    if (isLost(row)) return { row, judged: unjudged(series.at, change(row), range(row)), group: 4, growth: 0 };
    const of = judgements[i] ?? unjudged(series.at, change(row), range(row));
    return { row, judged: of, ...rankOf(of, series.at, change(row), grown) };
  });
  ranked.sort((a, b) => a.group - b.group || b.growth - a.growth || byRange(a.row, b.row));
  const told = ranked.slice(0, nodeCount(view) || Math.floor(VALUES / nDumps));
  const values = columns.of(
    told.map(({ row }) => row),
    series.dump,
  );
  const atExitOf = columns.of(
    told.map(({ row }) => row),
    atExit === undefined ? [] : [atExit.dump],
  );
  const all = judged(extents.totals);
  const total = trendOf(extents.totals, all);
  const limit = Number(view.texts.get('limit') ?? 0);
  const dump = series.dump.map((number, place) => ({
    dump: number,
    name: profile.dumps[number]?.name ?? '',
    at: get(series.at, place),
    time_nanos: series.timeNanos[place] ?? 0,
    total: get(extents.totals, place),
  }));
  header.total = header.value_total = header.shown = total.last;
  header.has_base = false;
  header.base_total = 0;
  header.n_shown = told.length;
  header.n_total = ranked.length;
  header.time_nanos = dump[0]?.time_nanos ?? 0;
  return {
    header,
    by: growthBy(view),
    series: series.name,
    all_series: series.all,
    axis: series.isTimed ? 's' : 'dump',
    dump,
    fewest: FEWEST,
    row: told.map((of, i) => {
      const value = values[i] ?? new Float64Array();
      const trend = trendOf(value, of.judged);
      const more = Math.max(trend.last - trend.first, 0);
      return {
        ...what(answer, of.row),
        value: [...value],
        trend,
        share: grown > 0 && !isLost(of.row) ? more / grown : 0,
        at_exit: atExitOf[i]?.[0] ?? 0,
      };
    }),
    rest: dump.map((d, place) => values.reduce((rest, value) => rest - get(value, place), d.total)),
    n_rows: ranked.length,
    total,
    grown,
    n_grown: up.length,
    shrunk: sum(down),
    n_shrunk: down.length,
    uncertain,
    at_exit: atExit ?? null,
    rest_at_exit: atExitOf.reduce((rest, value) => rest - (value[0] ?? 0), atExit?.total ?? 0),
    limit,
    until_limit: untilLimit(isCumulative ? 0 : limit, total, all.line),
  };
}

/** What is nothing at the last dump does not grow, however it went before. */
function whileHeld(judged: Judged, at: Float64Array, values: Float64Array): Judged {
  const grows = judged.shape === 'leak' || judged.shape === 'step' || judged.shape === 'plateau';
  if (!grows || values.at(-1) !== 0) return judged;
  // Not −0, which the server writes as 0.
  const slope = (0 - get(values, 0)) / get(at, at.length - 1);
  return { shape: 'noise', inSteps: false, began: undefined, line: { slope, low: slope, high: slope, p: 1 } };
}

/** Of numbers that never fall, with what to ask for instead. */
function cumulativeWarning({ profile }: Answer, { value_type: counts, unit }: GrowthReport['header']): string {
  const inUse = profile.valueTypes.find((of) => of.kind.startsWith('inuse') && of.unit.toLowerCase() === unit);
  const wayOut = inUse === undefined ? '' : `; si=${inUse.kind} tells what stays`;
  return `${counts} counts all that was ever allocated, which grows without a leak${wayOut}`;
}

function nameBy({ profile, shape, view }: Answer, row: number): string {
  switch (growthBy(view)) {
    case 'types':
      return text(profile, get(profile.page.type.name, row));
    case 'stacks':
      return nameOf(shape, get(shape.key, row));
    default:
      return nameOf(shape, row);
  }
}

/** A row in words, and of a stack its frames, leaf first. */
function what(answer: Answer, row: number): Pick<GrowthRow, 'row' | 'stack'> {
  const { profile, shape, view } = answer;
  switch (growthBy(view)) {
    case 'types': {
      const name = nameBy(answer, row);
      return { row: { ...NO_ROW, name, full_name: text(profile, get(profile.page.type.full_name, row)) }, stack: [] };
    }
    case 'stacks':
      return { row: rowOf(answer, get(shape.key, row)), stack: stackOf(answer, row) };
    default:
      return { row: rowOf(answer, row), stack: [] };
  }
}

/** Of a row that is too small to be looked at: how it went from the first dump to the last. */
function unjudged(at: Float64Array, change: number, range: number): Judged {
  const slope = change / get(at, at.length - 1);
  return { shape: range === 0 ? 'flat' : 'unknown', inSteps: false, began: undefined, line: { slope, low: slope, high: slope, p: 1 } };
}

function trendOf(values: Float64Array, { shape, inSteps, began, line }: Judged): Trend {
  return {
    first: values[0] ?? 0,
    last: values.at(-1) ?? 0,
    peak: values.reduce((most, v) => Math.max(most, v), values[0] ?? 0),
    slope: line.slope,
    slope_low: line.low,
    slope_high: line.high,
    p: line.p,
    shape,
    in_steps: inSteps,
    began: began ?? null,
  };
}

/** Names of a stack's frames, leaf first. */
function stackOf({ shape }: Answer, row: number): readonly string[] {
  const names: string[] = [];
  for (let node = row; node !== 0; node = get(shape.parent, node)) names.push(nameOf(shape, get(shape.key, node)));
  return names;
}

const SMALL = 0.005;

/** What a row is sorted by (`analyze/growth/rank.rs`). */
function rankOf({ shape, began, line }: Judged, at: Float64Array, growth: number, grown: number): { group: number; growth: number } {
  const explained = began === undefined ? 0 : line.slope * (get(at, at.length - 1) - get(at, began));
  switch (shape) {
    case 'leak':
      return explained >= SMALL * grown ? { group: 0, growth: explained } : { group: 1, growth };
    case 'step':
    case 'plateau':
    case 'unknown':
      return { group: 1, growth };
    case 'sawtooth':
    case 'noise':
    case 'flat':
      return { group: 2, growth };
    case 'shrinking':
      return { group: 3, growth };
  }
}

/** Until the total reaches the limit: soonest, likely, latest (`analyze/growth/limit.rs`). */
function untilLimit(limit: number, { last, peak, shape }: Trend, line: Line): readonly number[] {
  if (limit <= 0) return [];
  const [fromLast, fromPeak] = [Math.max(limit - last, 0), Math.max(limit - peak, 0)];
  if (fromLast === 0) return [0, 0, 0];
  if (line.slope <= 0 || (shape !== 'leak' && shape !== 'unknown')) return [];
  const until = [fromPeak / Math.max(line.high, line.slope), fromLast / line.slope];
  return line.low > 0 ? [...until, fromLast / line.low] : until;
}

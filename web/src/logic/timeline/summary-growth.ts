import type { DumpMeta, GrowthReport, GrowthRow, Meta } from '../../api/types';
import { baseName } from '../names/names';
import { isOfMoments } from '../recording';
import { dumpNoun } from './text';
import { withoutLevel } from '../url/show-level';
import { apiPath, param, type ViewUrl } from '../url/view-url';

/** The growth report on the Summary. */

/** Fewest dumps for a growth report. */
const FEWEST = 2;
/** Least growth in a recording that is listed, as a share of its peak. */
const SMALL = 0.01;
/** Rows that are listed. */
const MOST = 5;
/** Rows that are requested: enough for the bands of the chart, which are those of the Timeline. */
const ASKED = 40;

/** Number of dumps that may form one series; a base does not count. */
export function seriesLength(dumps: readonly DumpMeta[]): number {
  return dumps.filter((dump) => !dump.is_base && dump.is_thinned !== true).length;
}

/** API path of the summary's growth report; undefined where it makes no sense: total allocations always grow. */
export function growingPath(url: ViewUrl, meta: Pick<Meta, 'dumps' | 'default_value_type'> | undefined): string | undefined {
  if (url.view !== 'summary' || meta === undefined || seriesLength(meta.dumps) < FEWEST) return undefined;
  if ((param(url, 'si') || meta.default_value_type).match(/^(alloc|temp)/) !== null) return undefined;
  return apiPath(url, 'growth', { n: String(ASKED), by: '', limit: '', ...withoutLevel(url) });
}

/** Largest rows that grow to the end or in steps; with too few dumps for trends, those that grew from first to last. */
export function growingRows(report: Pick<GrowthReport, 'row' | 'dump' | 'fewest' | 'total'>): readonly GrowthRow[] {
  const grew = isShort(report)
    ? report.row.filter(({ share }) => share > 0)
    : report.row.filter(({ trend }) => (trend.shape === 'leak' || trend.shape === 'step') && trend.last > trend.first);
  // Of a recording, what hardly matters beside its peak is no growth.
  const least = isOfMoments(report) ? report.total.peak * SMALL : 0;
  return grew.filter(({ trend }) => trend.last - trend.first >= least).slice(0, MOST);
}

/** Whether there are too few dumps to distinguish a leak from a cache. */
export function isShort({ dump, fewest }: Pick<GrowthReport, 'dump' | 'fewest'>): boolean {
  return dump.length < fewest;
}

/** Limits of the report's numbers, one sentence each, as in the terminal (`render/growth.rs`). */
export function growthNotes(report: GrowthReport, value: (value: number) => string): readonly string[] {
  const { dump, fewest, at_exit: atExit, uncertain } = report;
  const notes: string[] = [];
  if (isShort(report))
    notes.push(
      `Largest differences from first to last; at least ${fewest} ${dumpNoun(report)}s are needed to tell a leak from a cache filling up.`,
    );
  if (atExit !== null && atExit !== undefined) {
    const name = atExit.name === '' ? `dump ${dump.length + 1}` : baseName(atExit.name);
    const what = atExit.moment === undefined ? `${name} is a dump at exit: the total` : 'At the end the total';
    notes.push(`${what} fell to ${value(atExit.total)} at once. It is not counted in growth.`);
  }
  if (uncertain > 0) notes.push(`Every growth is uncertain by up to ${value(uncertain)}: ${report.uncertain_why}.`);
  return notes;
}

/** The report with the dump at exit appended, for lists of all dumps; trends do not include it. */
export function withExit(report: GrowthReport): GrowthReport {
  const { at_exit: exit } = report;
  if (exit === null || exit === undefined) return report;
  return {
    ...report,
    dump: [...report.dump, exit],
    row: report.row.map((row) => ({ ...row, value: [...row.value, row.at_exit] })),
    rest: [...report.rest, report.rest_at_exit],
  };
}

/** Number of dumps of a report of [`withExit`] that count. */
export function nCounted({ dump, at_exit: exit }: Pick<GrowthReport, 'dump' | 'at_exit'>): number {
  return dump.length - (dump.at(-1)?.dump === exit?.dump ? 1 : 0);
}

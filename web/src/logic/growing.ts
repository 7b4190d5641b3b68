import type { DumpMeta, GrowthReport, GrowthRow, Meta } from '../api/types';
import { apiPath, param, type ViewUrl } from './view-url';

/** What grows, in short: for the summary. */

/** Dumps from which on growth is more than a difference. */
const FEWEST = 3;
/** Rows that are told. */
const MOST = 5;

/** Dumps that may be of one series: of a base nobody asks how it goes on. */
export function seriesLength(dumps: readonly DumpMeta[]): number {
  return dumps.filter((dump) => !dump.is_base && dump.is_thinned !== true).length;
}

/** The summary's question about growth; undefined where there is nothing to ask. What was ever allocated always grows. */
export function growingPath(url: ViewUrl, meta: Pick<Meta, 'dumps' | 'default_value_type'> | undefined): string | undefined {
  if (url.view !== 'summary' || meta === undefined || seriesLength(meta.dumps) < FEWEST) return undefined;
  if ((param(url, 'si') || meta.default_value_type).startsWith('alloc')) return undefined;
  return apiPath(url, 'growth', { n: String(MOST), by: '', limit: '' });
}

/** Rows that grow to the end, or did in jumps. */
export function growingRows({ row }: Pick<GrowthReport, 'row'>): readonly GrowthRow[] {
  return row.filter(({ trend }) => trend.shape === 'leak' || trend.shape === 'step');
}

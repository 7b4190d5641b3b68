/** Reports of the API, and which parameters of the address each takes. */

/** Reports that views ask for. */
export type ApiKind =
  'summary' | 'top' | 'flame' | 'graph' | 'peek' | 'source' | 'sizes' | 'tags' | 'traces' | 'growth' | 'types' | 'accesses';
/** Parameters that only the page knows; the API would reject them. */
const CLIENT_ONLY = new Set([
  'q',
  'sel',
  'scale',
  'color',
  'around',
  'split',
  'size',
  'log',
  'span',
  'p',
  'cols',
  'node',
  'line',
  'lines',
  'in',
  'axis',
  'rank',
  'dump_name',
  'base_name',
]);
/** Parameters that the API takes for one kind of report only. */
const ONLY_FOR: Readonly<Record<string, readonly ApiKind[]>> = {
  zoom: ['flame'],
  collapse_recursion: ['flame', 'graph', 'traces'],
  inverted: ['flame'],
  open: ['flame'],
  order: ['top'],
  with_type: ['top'],
  peek: ['peek', 'accesses'],
  sort: ['top', 'peek'],
  list: ['source'],
  list_files: ['source'],
  line_code: ['source'],
  intel_syntax: ['source'],
  by: ['growth'],
  series: ['growth'],
  limit: ['growth'],
};

/** Parameters that a report does not take from the address: growth covers all dumps of a series, whichever is shown, and groups by `by`. */
const NOT_FOR: Readonly<Partial<Record<ApiKind, readonly string[]>>> = {
  accesses: ['base', 'diff_base', 'normalize', 'norm', 'relative_percentages', 'rel', 'mean', 'unit', 'si', 'sample_index', 'divide_by'],
  growth: ['dump', 'base', 'diff_base', 'at', 'from', 'to', 'normalize', 'norm', 'granularity', 'g'],
};

/** Whether a parameter of the address goes to the API. */
export function isSent(key: string, kind: ApiKind): boolean {
  return !CLIENT_ONLY.has(key) && (ONLY_FOR[key]?.includes(kind) ?? true) && NOT_FOR[kind]?.includes(key) !== true;
}

import type { GrowthReport, GrowthRow, GrowthShape, Header, Trend } from '../../api/types';
import { NO_ROW } from '../names/names';

/** Small reports of growth for tests. */

const HEADER: Header = {
  file: 'shop',
  build_id: '',
  value_type: 'inuse_space',
  unit: 'bytes',
  output_unit: 'auto',
  divide_by: 1,
  total: 0,
  companion_type: '',
  companion_unit: '',
  has_base: false,
  value_total: 0,
  base_total: 0,
  shown: 0,
  n_shown: 0,
  n_total: 0,
  dropped_nodes: 0,
  node_cutoff: 0,
  dropped_edges: 0,
  edge_cutoff: 0,
  folded: [],
  folded_whole: 0,
  filters: [],
  query: [],
  time_nanos: 0,
  duration_nanos: 0,
  comments: [],
  doc_url: '',
  wrappers: [],
  warnings: [],
  compact: false,
  period: 0,
  n_new: 0,
  n_gone: 0,
  within_noise: 0,
};

export function trend(over: Partial<Trend> = {}): Trend {
  return { first: 0, last: 0, peak: 0, slope: 0, slope_low: 0, slope_high: 0, p: 1, shape: 'noise', in_steps: false, began: null, ...over };
}

export function growthRow(name: string, value: readonly number[], shape: GrowthShape = 'noise', slope = 0): GrowthRow {
  return {
    row: { ...NO_ROW, name, package: name.split('::')[0] ?? '', kind: 'own' },
    stack: [],
    value,
    trend: trend({ first: value[0] ?? 0, last: value.at(-1) ?? 0, peak: Math.max(0, ...value), shape, slope }),
    share: 0,
    at_exit: 0,
  };
}

/** Dumps `every` so many seconds, at noon of a day in November; `total` is the sum of rows and `rest`. */
export function growthReport(
  row: readonly GrowthRow[],
  over: Partial<GrowthReport> = {},
  every = 60,
  rest: readonly number[] = [],
): GrowthReport {
  const n = Math.max(rest.length, ...row.map(({ value }) => value.length));
  const noon = new Date(2026, 10, 20, 12).getTime() * 1e6;
  const sum = (i: number): number => row.reduce((all, { value }) => all + (value[i] ?? 0), rest[i] ?? 0);
  return {
    header: HEADER,
    by: 'culprits',
    series: '',
    all_series: [''],
    axis: 's',
    dump: Array.from({ length: n }, (_, i) => ({
      dump: i,
      name: `/tmp/shop.${String(i + 1).padStart(4, '0')}.heap`,
      at: i * every,
      time_nanos: noon + i * every * 1e9,
      total: sum(i),
    })),
    row,
    rest: [...rest],
    fewest: 5,
    uncertain: 0,
    uncertain_why: '',
    at_exit: null,
    rest_at_exit: 0,
    n_grown: 0,
    n_shrunk: 0,
    n_rows: row.length,
    total: trend({ first: sum(0), last: sum(n - 1) }),
    grown: 0,
    shrunk: 0,
    limit: 0,
    until_limit: [],
    ...over,
  };
}

/** A recording: moments at these milliseconds, the peak being that of the largest total; RSS is twice the total. */
export function recordingReport(row: readonly GrowthRow[], millis: readonly number[], over: Partial<GrowthReport> = {}): GrowthReport {
  const report = growthReport(row, { header: { ...HEADER, value_type: 'peak_space' }, ...over });
  const most = Math.max(...report.dump.map(({ total }) => total));
  const peak = report.dump.findIndex(({ total }) => total === most);
  return {
    ...report,
    dump: report.dump.map((dump, i) => ({
      ...dump,
      at: (millis[i] ?? 0) / 1000,
      time_nanos: 0,
      rss: 2 * dump.total,
      moment: { at: (millis[i] ?? 0) * 1e6, clock: 'time', is_peak: i === peak, is_end: i === report.dump.length - 1 },
    })),
  };
}

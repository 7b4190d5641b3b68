import type { FlameReport, Header } from '../../api/types';
import { NO_ROW } from '../names/names';

/** Small flame graphs for tests. */

export const HEADER: Header = {
  file: '',
  build_id: '',
  value_type: 'inuse_space',
  unit: 'bytes',
  output_unit: 'auto',
  divide_by: 1,
  total: 10,
  has_base: false,
  value_total: 10,
  base_total: 0,
  shown: 10,
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
  spread: null,
  gross: null,
  n_new: 0,
  n_gone: 0,
  within_noise: 0,
  companion_type: '',
  companion_unit: '',
};

/** Optional columns of a flame graph, as sent when they were not requested. */
export const NOTHING_BESIDE = {
  cum_companion: [],
  cum_samples: [],
  cum_error: [],
  cum_change_error: [],
  cum_grown: [],
  cum_shrunk: [],
} as const;

/** Lines of `depth name cum` in preorder. */
export function flame(text: string): FlameReport {
  const lines = text
    .trim()
    .split('\n')
    .map((l) => l.trim().split(' '));
  const names = [...new Set(lines.map(([, name = '']) => name))].filter((n) => n !== '-');
  return {
    header: HEADER,
    inverted: false,
    row: names.map((name) => ({ ...NO_ROW, name })),
    node: lines.map(([, name = '']) => names.indexOf(name)),
    depth: lines.map(([d]) => Number(d)),
    cum: lines.map(([, , c]) => Number(c)),
    flat: lines.map(() => 0),
    cum_base: [],
    flat_base: [],
    inlined: lines.map(() => 0),
    id: lines.map((_, i) => String(i)),
    above: [],
    above_id: [],
    ...NOTHING_BESIDE,
    closed: [],
    folded: [],
  };
}

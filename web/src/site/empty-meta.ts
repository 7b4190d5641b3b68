import type { Meta } from '../api/types';

/** Metadata of a page on which no profile is open yet. */
export function emptyMeta(version: string): Meta {
  return {
    version,
    instance: '',
    query: [],
    may_open: true,
    may_replace: true,
    profile_number: 0,
    room: Number.MAX_SAFE_INTEGER,
    file: '',
    dumps: [],
    value_types: [],
    default_value_type: '',
    n_stacks: 0,
    n_samples: 0,
    label_keys: [],
    mappings: [],
    symbols: { state: 'done', done: 0, total: 0, file: '', fetching: '', generation: 0, verdict: '', modules: [] },
    named_permille: 0,
    warnings: [],
  };
}

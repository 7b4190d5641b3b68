import type { MatchedBuilds } from '../api/types';
import { baseName } from './names/names';

/** How many functions of several builds were found in another one, in one line, like the terminal (`render/labels.rs`). */
export function matchedBuilds(builds: MatchedBuilds): string {
  const { build, n_by_name: name, n_by_form: form, n_by_last_part: last, n_by_place: caller, n_folded_calls: folded } = builds;
  const each = build.map(({ file, n_functions: n, n_matched: matched }) => `${matched} of ${n} in ${baseName(file)}`);
  const n = form + last + caller;
  const how = n === 0 ? '' : ` (${name} with the same name, ${n} spelled differently)`;
  return `Functions in ${build.length === 2 ? 'both' : 'several'} builds: ${each.join(', ')}${how}${countedForCallers(folded)}`;
}

function countedForCallers(n: number): string {
  if (n === 0) return '';
  if (n === 1) return '; 1 inlined call that has a name in one build only is counted for its caller';
  return `; ${n} inlined calls that have a name in one build only are counted for their callers`;
}

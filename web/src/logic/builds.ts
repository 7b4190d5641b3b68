import type { MatchedBuilds } from '../api/types';
import { baseName } from './names';

/** How functions of several builds were matched, in one line, as the terminal has it (`render/labels.rs`). */
export function matchedBuilds(builds: MatchedBuilds): string {
  const { build, n_by_name: name, n_by_form: form, n_by_last_part: last, n_by_place: caller, n_folded_calls: folded } = builds;
  const each = build.map(({ file, n_functions: n, n_matched: matched }) => `${matched} of ${n} functions of ${baseName(file)}`);
  const how = `${name} by name, ${form} by normal form, ${last} by last part, ${caller} by caller`;
  return `Matched builds: ${each.join(', ')} (${how})${partOfCallers(folded)}`;
}

function partOfCallers(n: number): string {
  if (n === 0) return '';
  if (n === 1) return '; 1 inlined call that a build lacks is part of its caller';
  return `; ${n} inlined calls that a build lacks are part of their callers`;
}

import type { Header } from '../api/types';
import { numberAt as get } from '../logic/number-at';
import { KINDS, type Kind } from '../logic/ownership/kind-rules';
import type { Answer } from './answer';
import { functionOf, mappingOf } from './profile';

/** Which functions `hide_kind` folds on the stacks of rows that are not zero (`analyze/tree/folded.rs`). */
export function foldedOf({
  profile,
  packages,
  shape,
  weights,
}: Pick<Answer, 'profile' | 'packages' | 'shape' | 'weights'>): Pick<Header, 'folded' | 'folded_whole'> {
  const { folded } = shape;
  if (folded === undefined) return { folded: [], folded_whole: 0 };
  const n = profile.parent.length;
  const [seen, used] = [new Uint8Array(n), new Uint8Array(n)];
  for (let node = 1; node < n; node++) seen[node] = get(seen, get(profile.parent, node)) | (1 - get(folded, get(profile.frame, node)));
  let whole = 0;
  profile.rowStack.forEach((stack, row) => {
    if (get(weights.row.value, row) === 0 && get(weights.row.base, row) === 0) return;
    used[stack] = 1;
    if (get(seen, stack) === 0) whole += get(weights.row.value, row);
  });
  for (let node = n - 1; node > 0; node--) if (get(used, node) === 1) used[get(profile.parent, node)] = 1;
  const functions = new Map<Kind, Set<string>>();
  for (let node = 1; node < n; node++) {
    const frame = get(profile.frame, node);
    if (get(used, node) === 0 || get(folded, frame) === 0) continue;
    const called = functionOf(profile, frame);
    const name = called < 0 ? 0 : get(profile.page.function.name, called);
    const mapping = name === 0 ? mappingOf(profile, get(profile.locationOf, frame)) : -1;
    const { kind } = packages.of(frame, false);
    const known = functions.get(kind) ?? new Set<string>();
    functions.set(kind, known.add(`${name} ${mapping < 0 ? 0 : get(profile.page.mapping.file, mapping)}`));
  }
  const counted = KINDS.map((kind) => ({ kind, n_functions: functions.get(kind)?.size ?? 0 }));
  return { folded: counted.filter((of) => of.n_functions > 0), folded_whole: whole };
}

import { numberAt as get } from '../logic/number-at';
import { text, type Profile } from './profile';
import type { View } from './view';

/** The filter by type (`of_type` of `analyze/types/`). */

/** Row → 1 when its type is one that the filter keeps; undefined: it keeps all. */
export function keptTypes(profile: Profile, view: View, warnings: string[]): Uint8Array | undefined {
  const pattern = view.patterns.get('type');
  if (pattern === undefined) return undefined;
  const { name, full_name } = profile.page.type;
  const kept = name.map((of, i) => pattern.test(text(profile, of)) || pattern.test(text(profile, get(full_name, i))));
  const rows = Uint8Array.from(profile.page.sample.type, (of) => (kept[of] === true ? 1 : 0));
  if (!rows.includes(1)) warnings.push('Type expression matched no samples');
  return rows;
}

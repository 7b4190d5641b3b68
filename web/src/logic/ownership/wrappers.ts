import { rulesText, type Kind } from './kind-rules';
import { rulesOf } from './edit-rules';

/** Allocation wrappers, whose callers are charged (`attribution/wrappers.rs`). */

/** Number of listed names. */
export const SHOWN = 5;

/** Bytes of a rule's pattern, and stars in it, at most; a name that is too long for a pattern is matched by its beginning. */
const [LONGEST, STARS] = [500, 10];

/** Rules that make a function an allocator, so that its callers are charged, or charge it again. */
export function withFunction(text: string, name: string, kind: Extract<Kind, 'allocator' | 'own'>): string {
  const pattern = patternOf(name);
  const all = rulesOf(text);
  const others = all.filter((rule) => rule.on !== 'function' || rule.pattern !== pattern || rule.package !== '');
  // A rule that made it an allocator is removed.
  if (kind === 'own' && others.length < all.length) return rulesText(others);
  return rulesText([{ on: 'function', pattern, kind, package: '' }, ...others]);
}

function patternOf(name: string): string {
  const parts = name.split('*');
  if (name.length <= LONGEST && parts.length <= STARS + 1) return name;
  return `${parts.slice(0, STARS).join('*').slice(0, LONGEST)}*`;
}

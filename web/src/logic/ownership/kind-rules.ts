import type { Row } from '../../api/types';

/** Kinds of code, and the user's ownership rules (`query/code_kinds.rs`). */

export type Kind = Row['kind'];

/** From the allocator up to the user's code. */
export const KINDS: readonly Kind[] = ['allocator', 'runtime', 'plumbing', 'third_party', 'own', 'unknown'];

/** Short names. */
const SHORT: ReadonlyMap<string, Kind> = new Map([
  ['alloc', 'allocator'],
  ['std', 'runtime'],
  ['async', 'plumbing'],
]);

/** Kind for a name or short name. */
export function kindNamed(word: string): Kind | undefined {
  return SHORT.get(word) ?? KINDS.find((kind) => kind === word);
}

/** Value for no kinds, where a missing parameter has another default. */
export const NO_KINDS = 'none';

/** Parses comma-separated kinds; returns the first invalid word as text. */
export function readKinds(text: string): readonly Kind[] | string {
  const found = new Set<Kind>();
  if (text.trim() === NO_KINDS) return [];
  for (const word of text.split(',').map((w) => w.trim())) {
    if (word === '') continue;
    const kind = kindNamed(word);
    if (kind === undefined) return word;
    found.add(kind);
  }
  return KINDS.filter((kind) => found.has(kind));
}

const TARGETS = ['package', 'function', 'file', 'library'] as const;

/** A rule: matching code has this kind, and a package if one is given. */
export interface KindRule {
  readonly on: (typeof TARGETS)[number];
  /** Pattern with `*` as wildcard. */
  readonly pattern: string;
  readonly kind: Kind;
  /** Package of matching code; empty: the inferred one. */
  readonly package: string;
}

/** Most rules of a request, bytes of a pattern, and stars in a pattern. */
const [MOST, LONGEST, STARS] = [256, 1000, 20];

/** Parses rules; returns the message for the first invalid one as text. */
export function readRules(text: string): readonly KindRule[] | string {
  const rules: KindRule[] = [];
  const all = parts(text);
  if (all.length > MOST) return `a list of at most ${MOST} rules (found ${all.length})`;
  for (const part of all) {
    const rule = readRule(part);
    if (rule === undefined)
      return `a list of rules PATTERN=KIND, as in serde*=own,function:my_alloc*=allocator: ${JSON.stringify(part)} is not a rule (kinds: ${KINDS.join(', ')})`;
    if (rule.pattern.length > LONGEST || rule.pattern.split('*').length > STARS + 1)
      return `a list of patterns with at most ${LONGEST} bytes and ${STARS} stars`;
    rules.push(rule);
  }
  return rules;
}

export function ruleText(rule: KindRule): string {
  // A bare word is a package, unless it looks like a function or path.
  const isPlain = rule.on === 'package' && TARGETS.every((target) => !rule.pattern.startsWith(`${target}:`));
  const on = isPlain ? '' : `${rule.on}:`;
  return `${on}${rule.pattern}=${rule.kind}${rule.package === '' ? '' : `/${rule.package}`}`;
}

export function rulesText(rules: readonly KindRule[]): string {
  return rules.map(ruleText).join(',');
}

function readRule(text: string): KindRule | undefined {
  const at = text.lastIndexOf('=');
  if (at < 0) return undefined;
  const [word = '', name = ''] = text.slice(at + 1).split(/\/(.*)/s, 2);
  const kind = kindNamed(word.trim());
  const on = TARGETS.find((target) => text.startsWith(`${target}:`));
  const pattern = text.slice(on === undefined ? 0 : on.length + 1, at);
  return kind === undefined || pattern === '' ? undefined : { on: on ?? 'package', pattern, kind, package: name };
}

/** Parts between commas. Names have commas, too (`HashMap<K, V>`): where brackets are, a rule ends with its kind. */
function parts(text: string): readonly string[] {
  const found: string[] = [];
  let part = '';
  const words = text.split(',');
  words.forEach((word, i) => {
    part = part === '' ? word : `${part},${word}`;
    if (i < words.length - 1 && !isWhole(part) && /[<([]/.test(part)) return;
    found.push(part.trim());
    part = '';
  });
  return found.filter((rule) => rule !== '');
}

function isWhole(part: string): boolean {
  const kind = /=([^=/]*)(?:\/[^=]*)?$/.exec(part)?.[1];
  return kind !== undefined && kindNamed(kind.trim()) !== undefined;
}

import type { Row } from '../api/types';

/** Kinds of code, and what the person knows of whose code is what (`query/kinds.rs`). */

export type Kind = Row['kind'];

/** From the memory up to the person. */
export const KINDS: readonly Kind[] = ['allocator', 'runtime', 'plumbing', 'third_party', 'own', 'unknown'];

/** Short words. */
const SHORT: ReadonlyMap<string, Kind> = new Map([
  ['alloc', 'allocator'],
  ['std', 'runtime'],
  ['async', 'plumbing'],
]);

/** The kind that a word means. */
export function kindNamed(word: string): Kind | undefined {
  return SHORT.get(word) ?? KINDS.find((kind) => kind === word);
}

/** Kinds between commas, in their order; a text is the first word that is none. */
export function readKinds(text: string): readonly Kind[] | string {
  const found = new Set<Kind>();
  for (const word of text.split(',').map((w) => w.trim())) {
    if (word === '') continue;
    const kind = kindNamed(word);
    if (kind === undefined) return word;
    found.add(kind);
  }
  return KINDS.filter((kind) => found.has(kind));
}

const TARGETS = ['package', 'function', 'file', 'library'] as const;

/** Code that is of a kind, and perhaps of a package. */
export interface KindRule {
  readonly on: (typeof TARGETS)[number];
  /** Text in which every `*` stands for anything. */
  readonly pattern: string;
  readonly kind: Kind;
  /** Empty: of its own. */
  readonly package: string;
}

/** Rules as they are typed; a text is what the first one that is none should have been. */
export function readRules(text: string): readonly KindRule[] | string {
  const rules: KindRule[] = [];
  for (const part of parts(text)) {
    const rule = readRule(part);
    if (rule === undefined)
      return `made of rules PATTERN=KIND such as serde*=own or function:my_alloc*=allocator: ${JSON.stringify(part)} is none (kinds are ${KINDS.join(', ')})`;
    rules.push(rule);
  }
  return rules;
}

export function ruleText(rule: KindRule): string {
  const on = rule.on === 'package' ? '' : `${rule.on}:`;
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

/** Parts between commas; those in brackets of names (`HashMap<K, V>`) do not count. */
function parts(text: string): readonly string[] {
  let [depth, start] = [0, 0];
  const found: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const c = text.charAt(at);
    if ('<(['.includes(c)) depth++;
    else if ('>)]'.includes(c)) depth--;
    else if (c === ',' && depth <= 0) {
      found.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...found, text.slice(start)].map((part) => part.trim()).filter((part) => part !== '');
}

/** Whether `text` fits a pattern. */
export function fits(pattern: string, text: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}

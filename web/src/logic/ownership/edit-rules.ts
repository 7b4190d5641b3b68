import type { Kind } from './package';
import { readRules, rulesText, type KindRule } from './kind-rules';

/** Ownership rules in the address, and how menus change them. */

/** Kinds that a package can be moved to. */
export const MOVES: readonly Kind[] = ['own', 'third_party', 'plumbing', 'runtime', 'allocator'];

/** Valid rules of a text. */
export function rulesOf(text: string): readonly KindRule[] {
  const rules = readRules(text);
  return typeof rules === 'string' ? [] : rules;
}

/** The rules with this kind for a package, as the first rule and only one for it. */
export function moved(text: string, name: string, kind: Kind): string {
  const others = rulesOf(text).filter(({ on, pattern, package: of }) => on !== 'package' || pattern !== name || of !== '');
  return rulesText([{ on: 'package', pattern: name, kind, package: '' }, ...others]);
}

/** The rules without the one at `at`. */
export function without(text: string, at: number): string {
  return rulesText(rulesOf(text).filter((_, i) => i !== at));
}

/** The rules with another kind for the one at `at`. */
export function changed(text: string, at: number, kind: Kind): string {
  return rulesText(rulesOf(text).map((rule, i) => (i === at ? { ...rule, kind } : rule)));
}

/** The rules in the syntax of `heapview.toml`. */
export function rulesToml(text: string): string {
  const quoted = (of: string): string => `"${of.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const target = ({ on, pattern }: KindRule): string => quoted(on === 'package' ? pattern : `${on}:${pattern}`);
  const section = (name: string, keys: ReadonlyMap<string, readonly string[]>): string =>
    keys.size === 0 ? '' : `[${name}]\n${[...keys].map(([key, patterns]) => `${key} = [${patterns.join(', ')}]\n`).join('')}`;
  const [kinds, packages] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const put = (map: Map<string, string[]>, key: string, pattern: string): void => {
    const list = map.get(key) ?? [];
    if (!list.includes(pattern)) list.push(pattern);
    map.set(key, list);
  };
  for (const rule of rulesOf(text)) {
    if (rule.package === '') put(kinds, rule.kind, target(rule));
    else {
      put(packages, quoted(rule.package), target(rule));
      // [kinds] sets the kind of a package in [packages].
      if (rule.kind !== 'third_party') put(kinds, rule.kind, quoted(rule.package));
    }
  }
  return [section('kinds', kinds), section('packages', packages)].filter((part) => part !== '').join('\n');
}

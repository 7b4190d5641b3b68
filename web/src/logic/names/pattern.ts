import type { Row } from '../../api/types';
import { functionOf } from './names';

/** Regular expressions: those that the user typed, and those that the page builds. */

export type Pattern =
  | { readonly kind: 'none' }
  | { readonly kind: 'ok'; readonly source: string; readonly test: (text: string) => boolean }
  | { readonly kind: 'bad'; readonly source: string; readonly at: number; readonly message: string };

/** Compiles for highlighting. Filters are compiled by the server, whose result counts. */
export function compilePattern(source: string): Pattern {
  if (source === '') return { kind: 'none' };
  const mistake = findMistake(source);
  if (mistake !== undefined) return { kind: 'bad', source, ...mistake };
  // `(?i)` at the start is how RE2 and Rust ignore case; JavaScript needs a flag.
  const flags = /^\(\?([ims]+)\)/.exec(source);
  try {
    const regex = new RegExp(flags === null ? source : source.slice(flags[0].length), flags?.[1] ?? '');
    return { kind: 'ok', source, test: (text) => regex.test(text) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { kind: 'bad', source, at: source.length - 1, message: text.replace(/^.*\/[a-z]*: /s, '').toLowerCase() };
  }
}

/** Whether a search finds a row: by function, source file or module, like the server's filters. */
export function matchesRow(pattern: Pattern, row: Row): boolean {
  if (pattern.kind !== 'ok') return false;
  return pattern.test(functionOf(row)) || (row.file !== '' && pattern.test(row.file)) || (row.object !== '' && pattern.test(row.object));
}

/** Class of a row while a search is on: `hit` or `miss`; empty without one. */
export function hitClass(pattern: Pattern, row: Row): '' | 'hit' | 'miss' {
  if (pattern.kind !== 'ok') return '';
  return matchesRow(pattern, row) ? 'hit' : 'miss';
}

interface Mistake {
  readonly at: number;
  readonly message: string;
}

/** Position of common mistakes: JavaScript's own message has none. */
function findMistake(source: string): Mistake | undefined {
  const open: number[] = [];
  let repeatable = false;
  for (let i = 0; i < source.length; i++) {
    const c = source.charAt(i);
    if (c === '\\') {
      if (i + 1 === source.length) return { at: i, message: 'a backslash needs a character after it' };
      i++;
      repeatable = true;
    } else if (c === '[') {
      const close = endOfClass(source, i);
      if (close < 0) return { at: i, message: 'this [ is never closed' };
      i = close;
      repeatable = true;
    } else if (c === '(') {
      open.push(i);
      const group = /^\(\?(?:[a-z-]*\)|[a-z-]*:|P?<\w+>)/.exec(source.slice(i));
      if (group !== null) {
        if (group[0].endsWith(')')) open.pop();
        i += group[0].length - 1;
      } else if (source.charAt(i + 1) === '?') {
        return { at: i, message: 'look-around is not supported: filters run in linear time' };
      }
      repeatable = false;
    } else if (c === ')') {
      if (open.pop() === undefined) return { at: i, message: 'this ) closes nothing' };
      repeatable = true;
    } else if (c === '*' || c === '+' || c === '?') {
      if (!repeatable) return { at: i, message: `nothing for ${c} to repeat` };
      if (source.charAt(i + 1) === '?') i++;
      repeatable = false;
    } else repeatable = c !== '|' && c !== '^';
  }
  const unclosed = open.pop();
  return unclosed === undefined ? undefined : { at: unclosed, message: 'this ( is never closed' };
}

function endOfClass(source: string, start: number): number {
  let i = start + 1;
  if (source.charAt(i) === '^') i++;
  if (source.charAt(i) === ']') i++;
  for (; i < source.length; i++) {
    if (source.charAt(i) === '\\') i++;
    else if (source.charAt(i) === ']') return i;
  }
  return -1;
}

/** Pattern that matches exactly `name`, in every regexp dialect of the server. */
export function exactly(name: string): string {
  return `^${name.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')}$`;
}

/** Suffix of closure names after the name of the enclosing function, in Rust, C++ and Go. */
const CLOSURE = String.raw`::(?:\{|'lambda|\(lambda|\$_|<lambda)|\.(?:func|gowrap|deferwrap)\d`;

/** Ends a pattern that matches closures as well. */
const OR_CLOSURES = `(?:$|${CLOSURE})`;

/** Matches `name` and its closures, which have its name in views that fold plumbing. */
export function withClosures(name: string): string {
  return `${exactly(name).slice(0, -1)}${OR_CLOSURES}`;
}

/** A frame without a name, as the flame graph (`[libc.so.6]+0x891f4`) and other views (`[libc.so.6]`) label it. */
const UNNAMED = /^\[(.+)\](?:\+0x[0-9a-f]+)?$/;

/** Pattern for callers and callees, where frames without a name are one row per module. */
export function peekPattern(name: string): string {
  return exactly(peekName(name));
}

export function peekName(name: string): string {
  const object = UNNAMED.exec(name)?.[1];
  return object === undefined ? name : object === 'unknown' ? '<unknown>' : `[${object}]`;
}

/** Pattern for the frames of a row of this name; `folds`: closures carry the name of their function. */
export function functionPattern(name: string, folds: boolean): string {
  return folds ? withClosures(name) : exactly(name);
}

/** Pattern that filters stacks by a function, or by its module if it has no name. */
export function filterPattern(name: string, folds = false): string {
  const object = UNNAMED.exec(name)?.[1];
  return object === undefined ? functionPattern(name, folds) : `(^|/)${exactly(object).slice(1)}`;
}

/** Pattern that keeps the stacks whose culprit is the function; code without a name goes by its module. */
export function blamePatch(name: string): Readonly<Record<string, string>> {
  return UNNAMED.test(name) ? { f: filterPattern(name) } : { blame: exactly(name) };
}

/** The name that `exactly` or `withClosures` was given; undefined for any other pattern. */
export function nameOfExact(pattern: string): string | undefined {
  if (pattern.endsWith(OR_CLOSURES)) return nameOfExact(`${pattern.slice(0, -OR_CLOSURES.length)}$`);
  if (!pattern.startsWith('^') || !pattern.endsWith('$')) return undefined;
  const name = pattern.slice(1, -1).replace(/\\([\\.+*?()|[\]{}^$])/g, '$1');
  return exactly(name) === pattern ? name : undefined;
}

/** `old|more`, without duplicates. */
export function either(old: string, more: string): string {
  if (old === '' || old === more) return more;
  return old.endsWith(`|${more}`) || old.startsWith(`${more}|`) ? old : `${old}|${more}`;
}

/** Text of a pattern for a chip: plain names if it matches names exactly. */
export function readable(pattern: string): string {
  const parts = pattern.split(/\|(?=\^)/);
  const names = parts.map(nameOfExact);
  return names.every((n) => n !== undefined) ? names.join(' or ') : pattern;
}

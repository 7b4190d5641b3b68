/**
 * Regular expressions of the server's dialect (Go's, as `src/query/pattern.rs` reads it) for
 * JavaScript: the same texts match. What JavaScript cannot do is said, not guessed.
 */

export type Compiled = { readonly ok: true; readonly test: (text: string) => boolean } | { readonly ok: false; readonly problem: string };

/** Longest part of a text that is matched, bytes of UTF-8: as `MATCHED_BYTES` of the server. */
const MATCHED_BYTES = 4096;

const bytes = new Uint8Array(MATCHED_BYTES);

/** What of `text` is matched: whole characters only. */
function matched(text: string): string {
  // A unit of UTF-16 takes three bytes at most.
  if (text.length * 3 <= MATCHED_BYTES) return text;
  return text.slice(0, new TextEncoder().encodeInto(text, bytes).read);
}

export function compileRegex(source: string): Compiled {
  try {
    const leading = /^\(\?([ims]+)\)/.exec(source);
    const pattern = translate(leading === null ? source : source.slice(leading[0].length));
    const regex = new RegExp(pattern, `u${leading?.[1] ?? ''}`);
    return { ok: true, test: (text) => regex.test(matched(text)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, problem: `does not compile: ${message.replace(/^.*\/[a-z]*: /s, '').toLowerCase()}` };
  }
}

const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
/** Escapes of classes, as they stand inside a class; the capital ones are their opposites. */
const CLASSES: Readonly<Record<string, string>> = { d: '\\p{Nd}', w: WORD, s: '\\p{White_Space}' };
const NAMED: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};
const CONTROLS: Readonly<Record<string, string>> = { a: '\\x07', f: '\\f', t: '\\t', n: '\\n', r: '\\r', v: '\\v' };

interface Reader {
  readonly source: string;
  at: number;
}

/** The expression in JavaScript's dialect, for the flag `u`. */
export function translate(source: string): string {
  const reader: Reader = { source, at: 0 };
  let out = '';
  /** Open groups: how many groups of flags close with each, and with its alternatives. */
  const open: string[][] = [[]];
  let repeatable = false;
  while (reader.at < source.length) {
    const c = source.charAt(reader.at);
    const rest = source.slice(reader.at);
    if (c === '\\') {
      out += escape(reader);
      repeatable = true;
      continue;
    }
    if (c === '[') {
      out += charClass(reader);
      repeatable = true;
      continue;
    }
    reader.at += c.length;
    const flags = /^\(\?([a-zA-Z-]+)\)/.exec(rest);
    const group = /^\(\?(?:P?<(\w+)>|([a-zA-Z-]*):)/.exec(rest);
    if (flags !== null) {
      reader.at += flags[0].length - 1;
      const begin = `(?${known(flags[1] ?? '')}:`;
      open.at(-1)?.push(begin);
      out += begin;
      repeatable = false;
    } else if (group !== null) {
      reader.at += group[0].length - 1;
      open.push([]);
      out += group[1] === undefined ? `(?${known(group[2] ?? '')}:` : `(?<${group[1]}>`;
      repeatable = false;
    } else if (c === '(') {
      if (rest.startsWith('(?')) throw new Error('look-around is not supported');
      open.push([]);
      out += c;
      repeatable = false;
    } else if (c === ')') {
      if (open.length === 1) throw new Error('unopened group');
      out += ')'.repeat((open.pop()?.length ?? 0) + 1);
      repeatable = true;
    } else if (c === '|') {
      // Flags hold to the end of the group, over its alternatives.
      const held = open.at(-1) ?? [];
      out += `${')'.repeat(held.length)}|${held.join('')}`;
      repeatable = false;
    } else if (c === '{') {
      const count = /^\{\d+(,\d*)?\}/.exec(rest);
      if (count !== null && repeatable) {
        out += count[0];
        reader.at += count[0].length - 1;
      } else out += '\\{';
      repeatable = true;
    } else if (c === '}' || c === ']') {
      out += `\\${c}`;
      repeatable = true;
    } else if (c === '.') {
      out += '[^\\n]';
      repeatable = true;
    } else {
      out += c;
      repeatable = c !== '^';
    }
  }
  if (open.length > 1) throw new Error('unclosed group');
  return out + ')'.repeat(open[0]?.length ?? 0);
}

function known(flags: string): string {
  if (/[^ims-]/.test(flags)) throw new Error(`the flags ${flags} are not known here`);
  return flags;
}

/** An escape outside of a class. */
function escape(reader: Reader): string {
  const rest = reader.source.slice(reader.at + 1);
  if (rest.startsWith('Q')) {
    const end = rest.indexOf('\\E');
    const literal = end < 0 ? rest.slice(1) : rest.slice(1, end);
    reader.at += 1 + (end < 0 ? rest.length : end + 2);
    return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  }
  const word = `[${WORD}]`;
  const zeroWidth: Readonly<Record<string, string>> = {
    A: '^',
    z: '$',
    b: `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
    B: `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`,
  };
  const c = rest.charAt(0);
  const width = Object.hasOwn(zeroWidth, c) ? zeroWidth[c] : undefined;
  if (width !== undefined) {
    reader.at += 2;
    return width;
  }
  const lower = c.toLowerCase();
  if (Object.hasOwn(CLASSES, lower)) {
    reader.at += 2;
    return `[${c === lower ? '' : '^'}${CLASSES[lower] ?? ''}]`;
  }
  return single(reader);
}

/** An escape that stands for one character or a class of Unicode, inside a class or outside. */
function single(reader: Reader): string {
  const rest = reader.source.slice(reader.at + 1);
  const c = String.fromCodePoint(rest.codePointAt(0) ?? 0x5c);
  if (rest === '') throw new Error('incomplete escape sequence');
  const unicode = /^[pP](?:\{(\^?)([^}]*)\}|(\w))/.exec(rest);
  if (unicode !== null) {
    reader.at += 1 + unicode[0].length;
    const negated = (c === 'P') !== (unicode[1] === '^');
    const name = unicode[2] ?? unicode[3] ?? '';
    return `\\${negated ? 'P' : 'p'}{${isProperty(name) ? name : `Script=${name}`}}`;
  }
  const hex = /^x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))/.exec(rest);
  if (hex !== null) {
    reader.at += 1 + hex[0].length;
    return `\\u{${hex[1] ?? hex[2] ?? ''}}`;
  }
  reader.at += 1 + c.length;
  const control = Object.hasOwn(CONTROLS, c) ? CONTROLS[c] : undefined;
  if (control !== undefined) return control;
  if (/[A-Za-z0-9]/.test(c)) throw new Error('unrecognized escape sequence');
  return /[\\^$.*+?()[\]{}|/-]/.test(c) ? `\\${c}`.replace('\\-', '\\x2d') : c;
}

function isProperty(name: string): boolean {
  try {
    new RegExp(`\\p{${name}}`, 'u');
    return true;
  } catch {
    return false;
  }
}

/** A class, from its opening bracket on. */
function charClass(reader: Reader): string {
  let out = '[';
  reader.at += 1;
  if (reader.source.startsWith('^', reader.at)) {
    out += '^';
    reader.at += 1;
  }
  for (let first = true; ; first = false) {
    const rest = reader.source.slice(reader.at);
    const c = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    if (rest === '') throw new Error('unclosed character class');
    if (c === ']' && !first) break;
    const named = /^\[:(\^?)(\w+):\]/.exec(rest);
    if (named !== null) {
      const name = named[2] ?? '';
      if (named[1] === '^' || !Object.hasOwn(NAMED, name)) throw new Error(`the class ${named[0]} is not known here`);
      out += NAMED[name] ?? '';
      reader.at += named[0].length;
    } else if (c === '\\') {
      const next = rest.charAt(1);
      const lower = next.toLowerCase();
      if (!Object.hasOwn(CLASSES, lower)) out += single(reader);
      else if (next === lower || lower !== 'w') {
        out += next === lower ? (CLASSES[lower] ?? '') : (CLASSES[lower] ?? '').replace('\\p', '\\P');
        reader.at += 2;
      } else throw new Error('\\W inside a class is not known here');
    } else {
      out += /[[\]{}()|/&~]/.test(c) ? `\\${c}`.replace(/\\([&~])/, '$1') : c;
      reader.at += c.length;
    }
  }
  reader.at += 1;
  return `${out}]`;
}

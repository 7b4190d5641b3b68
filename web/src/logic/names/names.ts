import type { Row } from '../../api/types';

/**
 * Parts of a symbol's name: package, function, and shorter forms.
 * Works on Rust paths, C++ scopes and Go packages; anything else is left as it is.
 */

/** An empty row, where a report has none. */
export const NO_ROW: Row = { name: '', full_name: '', file: '', line: 0, object: '', package: '', version: '', kind: 'unknown' };

/** Address of a row; empty at coarser granularities. */
export function addressOf(row: Row): string {
  return /^(?:0x)?[0-9a-f]{16}(?= \S|$)/.exec(row.name)?.[0] ?? '';
}

/** The function's own name: without the address, file and line that finer granularities add to it. */
export function functionOf(row: Row): string {
  const name = row.name.replace(/^(?:0x)?[0-9a-f]{16} (?=\S)/, '');
  if (row.file === '' || name === row.file) return name;
  const at = name.lastIndexOf(` ${row.file}`);
  return at > 0 && /^(?::\d+)*$/.test(name.slice(at + 1 + row.file.length)) ? name.slice(0, at) : name;
}

/** The last part of a path; other text unchanged. */
export function baseName(path: string): string {
  return path.split('/').at(-1) || path;
}

/** `src/log.rs:287`; empty when unknown. */
export function placeOf(row: Row): string {
  if (row.file === '') return '';
  return row.line > 0 ? `${row.file}:${row.line}` : row.file;
}

/** The last two parts of a path, for narrow columns. */
export function shortPlace(place: string): string {
  return place.split('/').slice(-2).join('/');
}

const OPEN = '<([{';
const CLOSE = '>)]}';

/** Replaces brackets nested deeper than `depth` by `…`: `Pin<Box<dyn Future<…>>>` → `Pin<Box<…>>`. */
function foldBrackets(name: string, depth: number): string {
  let out = '';
  let level = 0;
  for (let i = 0; i < name.length; i++) {
    const c = name.charAt(i);
    if (c === '>' && name.charAt(i - 1) === '-') {
      if (level <= depth) out += c;
    } else if (OPEN.includes(c) && c !== '{') {
      level++;
      if (level <= depth) out += c;
      else if (level === depth + 1) out += `${c}…`;
    } else if (CLOSE.includes(c) && c !== '}') {
      if (level <= depth + 1 && level > 0) out += c;
      level = Math.max(0, level - 1);
    } else if (level <= depth) out += c;
  }
  return out.replaceAll('<…>::{', '::{');
}

/** Drops the modules before every type and function: `alloc::vec::Vec` → `Vec`, `raw::poll::<T>` → `poll<T>`. */
function dropModules(name: string): string {
  const shorter = name.replace(/(?<![\w:>}])(?:[a-z_]\w*::)+(?=[A-Za-z_{[<(])/g, (path, at: number) => {
    const last = path.slice(0, -2).split('::').at(-1) ?? '';
    // A type needs no module before it; a free function keeps one; `f::<T>` and `f::{closure}` are f's.
    return /[A-Z]/.test(name.charAt(at + path.length)) ? '' : `${last}::`;
  });
  return shorter.replaceAll('::<', '<');
}

/** `<T as Trait>::f` → `T::f`, for an outermost bracket. */
function unwrapImpl(name: string): string {
  if (!name.startsWith('<')) return name;
  let level = 0;
  for (let i = 0; i < name.length; i++) {
    if (name.charAt(i) === '<') level++;
    else if (name.charAt(i) === '>' && name.charAt(i - 1) !== '-') level--;
    if (level === 0) {
      const inside = name.slice(1, i);
      const as = topLevelAs(inside);
      return (as < 0 ? inside : inside.slice(0, as)) + name.slice(i + 1);
    }
  }
  return name;
}

function topLevelAs(text: string): number {
  let level = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === '<') level++;
    else if (c === '>' && text.charAt(i - 1) !== '-') level--;
    else if (level === 0 && text.startsWith(' as ', i)) return i;
  }
  return -1;
}

/** Drops empty brackets of names that lost their type arguments: `<Vec<>>::with::<>` → `<Vec>::with`. */
function withoutEmptyBrackets(name: string): string {
  return name.includes('<>') && name.length > 2 ? name.replaceAll(/(?:::)?<>/g, '') || name : name;
}

/** Forms of `name`, each shorter than the one before; the first is the name itself. */
export function shortNames(name: string): readonly string[] {
  const capped = withoutEmptyBrackets(name.length > 2000 ? `${name.slice(0, 2000)}…` : name);
  const forms = [capped];
  // `[libc.so.6]+0x891f4` cannot be shortened.
  if (capped.startsWith('[')) return forms;
  const add = (form: string): void => {
    if (form !== '' && form.length < (forms.at(-1)?.length ?? 0)) forms.push(form);
  };
  if (capped.includes('/') && !capped.includes('::')) {
    add(capped.slice(capped.lastIndexOf('/') + 1));
    add(capped.slice(capped.lastIndexOf('.') + 1));
    return forms;
  }
  const unwrapped = unwrapImpl(capped);
  // `<T>::f` is the same as `T::f`; `<T as Trait>::f` is not.
  if (!/^<[^<>]* as /.test(capped) && unwrapped.length === capped.length - 2) forms[0] = unwrapped;
  add(unwrapped);
  const plain = dropModules(unwrapped);
  add(plain);
  for (const depth of [2, 1, 0]) add(foldBrackets(plain, depth));
  const bare = foldBrackets(plain, 0).replace(/<…>|\(…\)/g, '');
  add(bare);
  add(bare.split('::').slice(-2).join('::'));
  add(bare.split('::').slice(-1).join(''));
  return forms;
}

/** The name for a table or list: type parameters two deep, no modules inside them. */
export function displayName(name: string): string {
  if (name === '') return '(no name)';
  const forms = shortNames(name);
  return forms.find((form) => form.length < (form.includes('<') ? 48 : 96)) ?? forms.at(-1) ?? name;
}

/** A short name in two parts: a path that may be cut, and the function with its closures. */
export function splitName(name: string): readonly [string, string] {
  let level = 0;
  for (let i = name.length - 1; i > 0; i--) {
    const c = name.charAt(i);
    if (c === '>' && name.charAt(i - 1) === '-') i--;
    else if (CLOSE.includes(c)) level++;
    else if (OPEN.includes(c)) level = Math.max(0, level - 1);
    else if (level === 0 && c === ':' && name.charAt(i - 1) === ':' && !name.startsWith('{', i + 1))
      return [name.slice(0, i - 1), name.slice(i - 1)];
    else if (level === 0 && c === '/') return [name.slice(0, i + 1), name.slice(i + 1)];
  }
  return ['', name];
}

/** A name or path in pieces between which a line may break. Joined, they give the text. */
export function breakable(text: string): readonly string[] {
  return text.split(/(?<=::|->|[/\\<(,;])(?=[^>)/\\:,])/);
}

/** Which language a file is in, and coloured pieces of its lines from a highlighter's tree. */

export type Language = 'rust' | 'c' | 'cpp' | 'go' | 'python';

const LANGUAGES: Readonly<Record<string, Language>> = {
  rs: 'rust',
  c: 'c',
  h: 'cpp',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hh: 'cpp',
  hpp: 'cpp',
  hxx: 'cpp',
  tcc: 'cpp',
  inl: 'cpp',
  ipp: 'cpp',
  go: 'go',
  py: 'python',
  pyx: 'python',
};

/** By the file's ending; C++'s own headers have none. */
export function languageOf(file: string): Language | undefined {
  const name = file.split('/').at(-1) ?? '';
  const dot = name.lastIndexOf('.');
  if (dot < 0) return file.includes('/c++/') ? 'cpp' : undefined;
  const ending = name.slice(dot + 1).toLowerCase();
  return Object.hasOwn(LANGUAGES, ending) ? LANGUAGES[ending] : undefined;
}

export interface Piece {
  readonly text: string;
  /** Class of the token; empty for plain text. */
  readonly kind: string;
}

/** highlight.js's token classes → classes with a colour. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(comment|doctag|quote)/, 'comment'],
  [/^(string|char|regexp|subst)/, 'string'],
  [/^(number|literal|symbol)/, 'number'],
  [/^(keyword|meta|operator\.keyword)/, 'keyword'],
  [/^(title|function)/, 'title'],
  [/^(type|built_in|class|params\.type)/, 'type'],
  [/^(attribute|attr|variable|property)/, 'name'],
];

function kindOf(scope: string): string {
  return KINDS.find(([pattern]) => pattern.test(scope))?.[1] ?? '';
}

function childrenOf(node: unknown): readonly unknown[] {
  const found: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'children') : undefined;
  return Array.isArray(found) ? found : [];
}

/** A tree of `{ scope, children }` and texts → the pieces of each line. Never HTML: texts stay texts. */
export function linesOfTree(root: unknown): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [[]];
  const walk = (node: unknown, kind: string, depth: number): void => {
    if (typeof node === 'string') {
      node.split('\n').forEach((text, i) => {
        if (i > 0) lines.push([]);
        if (text !== '') lines.at(-1)?.push({ text, kind });
      });
      return;
    }
    const scope: unknown = typeof node === 'object' && node !== null ? Reflect.get(node, 'scope') : undefined;
    const own = typeof scope === 'string' ? kindOf(scope) || kind : kind;
    if (depth < 100) for (const child of childrenOf(node)) walk(child, own, depth + 1);
  };
  walk(root, '', 0);
  return lines;
}

/** Runs of consecutive lines, which are highlighted together. */
export function runsOf(numbers: readonly number[], texts: readonly (string | null)[]): readonly (readonly number[])[] {
  const runs: number[][] = [];
  numbers.forEach((number, i) => {
    if (texts[i] === null || texts[i] === undefined) return;
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run !== undefined && last === i - 1 && numbers[i - 1] === number - 1) run.push(i);
    else runs.push([i]);
  });
  return runs;
}

/** Lines joined into one text; tabs become four spaces and stray line ends are dropped. */
export function untabbedLines(lines: readonly string[]): string {
  return lines.map((line) => line.replaceAll('\t', '    ').replace(/[\r\n\u2028\u2029]/g, ' ')).join('\n');
}

/** What tables ask for beside their order: a window of rows, the boxes of a tree that are open (`query/table.rs`). */

export interface Window {
  readonly first: number;
  readonly count: number;
}

export function readWindow(text: string): Window | undefined {
  const found = /^\+?(\d+)-\+?(\d+)$/.exec(text);
  const [first, count] = [Number(found?.[1]), Number(found?.[2])];
  return found === null || count === 0 ? undefined : { first, count };
}

/** How far a box is open: its large children are seen, all, or the heaviest one to the end. */
export type Opening = 'large' | 'all' | 'hottest';

export interface Opened {
  /** The heaviest child is open, and the heaviest child of that, as long as they hold most of what is above. */
  readonly auto: boolean;
  /** First half of an id → how far; the first of equals counts. */
  readonly boxes: ReadonlyMap<number, Opening>;
  readonly words: readonly (readonly [number, Opening])[];
  /** The same of the first box, which is always open. */
  readonly first: Opening | undefined;
}

const MOST = 1000;

export function readOpened(text: string): Opened | undefined {
  if (text === 'auto' || text === 'none') return { auto: text === 'auto', boxes: new Map(), words: [], first: undefined };
  const words: [number, Opening][] = [];
  let first: Opening | undefined;
  for (const word of text.split('.')) {
    const found = /^(\+?[0-9a-fA-F]*)([_*]?)$/.exec(word);
    if (found === null || word === '' || (found[1] ?? '').length > 8 || found[1] === '+') return undefined;
    const how = found[2] === '_' ? 'all' : found[2] === '*' ? 'hottest' : 'large';
    if (found[1] === '') first = how;
    else words.push([parseInt(found[1] ?? '', 16), how]);
  }
  return words.length > MOST ? undefined : { auto: false, boxes: new Map(words.toReversed()), words, first };
}

export function openedText(opened: Opened): string {
  if (opened.auto) return 'auto';
  const mark = (how: Opening): string => (how === 'large' ? '' : how === 'all' ? '_' : '*');
  const words = opened.words.map(([id, how]) => id.toString(16).padStart(8, '0') + mark(how));
  if (opened.first !== undefined) words.unshift(mark(opened.first));
  return words.length === 0 ? 'none' : words.join('.');
}

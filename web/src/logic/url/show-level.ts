import type { Kind } from '../../api/types';
import { KIND_OF, NO_KINDS, param, type Patch, type ViewName, type ViewUrl } from './view-url';

/**
 * Levels of frames that a view shows. A level is a pair of values of `hide_kind` and `culprit`, so the address is complete,
 * and means the same to the server and the command line.
 */

export const LEVELS = ['mine', 'libraries', 'all'] as const;
export type Level = (typeof LEVELS)[number];

export const LEVEL_LABELS: Readonly<Record<Level, string>> = { mine: 'My code', libraries: '+ libraries', all: 'Everything' };

/** From the allocator up to the user's code. */
const KINDS: readonly Kind[] = ['allocator', 'runtime', 'plumbing', 'third_party', 'own', 'unknown'];

/** Short names. */
const SHORT: ReadonlyMap<string, Kind> = new Map([
  ['alloc', 'allocator'],
  ['std', 'runtime'],
  ['async', 'plumbing'],
]);

const GLUE: readonly Kind[] = ['allocator', 'runtime', 'plumbing'];

/** Kinds that a level folds. With `culprit` a stack without code of the user keeps the function that is responsible for it. */
const FOLDED: Readonly<Record<Level, readonly Kind[]>> = { mine: [...GLUE, 'third_party'], libraries: GLUE, all: [] };

/** Parameters of a level. */
export function levelPatch(level: Level): Patch {
  return { hide_kind: FOLDED[level].join(',') || NO_KINDS, culprit: level === 'mine' ? 't' : '' };
}

/** Parameters that show every frame, explicitly. */
export const SHOW_ALL: Patch = levelPatch('all');

/** Kinds that the address folds. */
export function foldedKinds(url: ViewUrl): readonly Kind[] {
  const words = param(url, 'hide_kind')
    .split(',')
    .map((word) => SHORT.get(word.trim()) ?? word.trim());
  return KINDS.filter((kind) => words.includes(kind));
}

export function chargesCulprits(url: ViewUrl): boolean {
  return /^(t|true|y|yes|1)$/i.test(param(url, 'culprit'));
}

/** Whether the address has parameters of a level. */
export function hasLevel(url: ViewUrl): boolean {
  return param(url, 'hide_kind') !== '' || param(url, 'culprit') !== '';
}

/** The level in force; undefined for other kinds than those of a level. */
export function levelOf(url: ViewUrl): Level | undefined {
  const kinds = foldedKinds(url);
  return LEVELS.find(
    (level) =>
      FOLDED[level].length === kinds.length &&
      FOLDED[level].every((kind) => kinds.includes(kind)) &&
      chargesCulprits(url) === (level === 'mine'),
  );
}

/** Views of single frames, where a level changes what is seen; the others charge culprits by definition. */
export function hasLevels(view: ViewName): boolean {
  return ['flame', 'top', 'graph', 'peek', 'source'].includes(KIND_OF[view]);
}

/** Removes the level from requests for reports that charge culprits anyway, where it has no effect. */
export function withoutLevel(url: ViewUrl): Patch {
  return levelOf(url) === undefined ? {} : { hide_kind: '', culprit: '' };
}

/** Whether closures carry the name of their function: their frames then have other names than their rows. */
export function foldsClosures(url: ViewUrl): boolean {
  return !hasLevels(url.view) || chargesCulprits(url) || foldedKinds(url).includes('plumbing');
}

/** Parameters that show functions of `kind`, if they are folded. */
export function revealPatch(url: ViewUrl, kind: Kind): Patch {
  if (!foldedKinds(url).includes(kind)) return {};
  return levelPatch(kind === 'third_party' && levelOf(url) === 'mine' ? 'libraries' : 'all');
}

/** The next level that folds less. */
export function widerLevel(level: Level): Level | undefined {
  return LEVELS[LEVELS.indexOf(level) + 1];
}

const KIND_WORDS: Readonly<Record<Kind, string>> = {
  allocator: 'allocators',
  runtime: 'runtime',
  plumbing: 'async glue',
  third_party: 'libraries',
  own: 'my code',
  unknown: 'unknown code',
};

/** `allocators, runtime`; in the order of kinds. */
export function kindWords(kinds: readonly Kind[]): string {
  return kinds.map((kind) => KIND_WORDS[kind]).join(', ');
}

/** Number of folded frames (`63`), their noun (`runtime frames`) and a count by kind; undefined if no frame is folded. */
export function foldedText(
  folded: readonly { readonly kind: Kind; readonly n_functions: number }[],
): { readonly count: string; readonly noun: string; readonly detail: string } | undefined {
  const n = folded.reduce((sum, of) => sum + of.n_functions, 0);
  if (n === 0) return undefined;
  const what = folded.some(({ kind }) => kind === 'third_party') ? 'runtime and library' : 'runtime';
  const known = folded.every(({ kind }) => kind !== 'own' && kind !== 'unknown');
  return {
    count: n.toLocaleString('en-US'),
    noun: `${known ? `${what} ` : ''}${n === 1 ? 'frame' : 'frames'}`,
    detail: folded.map(({ kind, n_functions }) => `${KIND_WORDS[kind]}: ${n_functions.toLocaleString('en-US')}`).join(', '),
  };
}

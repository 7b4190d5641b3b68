import type { Row } from '../api/types';
import { exactly } from './pattern';

/** What is said of packages: their kinds in words, and the filter that keeps the stacks through one. */

export type Kind = Row['kind'];

const KINDS: Readonly<Record<Kind, string>> = {
  allocator: 'allocator',
  runtime: 'runtime, standard library',
  plumbing: 'async runtime, plumbing',
  third_party: 'third party',
  own: 'own code',
  unknown: 'unknown code',
};

/** A kind in words. */
export function kindLabel(kind: Kind): string {
  return KINDS[kind];
}

/** `serde_json 1.0.154, third party`; empty when nobody knows. */
export function ownerOf(row: Row): string {
  if (row.package === '') return row.kind === 'unknown' ? '' : kindLabel(row.kind);
  return `${packageLabel(row)}, ${kindLabel(row.kind)}`;
}

/** `serde_json 1.0.154`; what is called nothing is `(unknown)`. */
export function packageLabel(of: { readonly package: string; readonly version: string }): string {
  if (of.package === '') return '(unknown)';
  return of.version === '' ? of.package : `${of.package} ${of.version}`;
}

/**
 * An expression for functions, files and mapped files of a package: `serde_json::f`, `…/serde-json-1.0/…`, `libz.so`.
 * Own code is told by its names alone where they have scopes: the folder of a program is often called as it is.
 */
export function packagePattern(name: string, isScoped: boolean): string {
  if (name === '') return '';
  const word = exactly(name).slice(1, -1).replaceAll(/[_-]/g, '[-_]');
  const begins = /^\w/.test(name) ? '\\b' : '';
  const ends = /\w$/.test(name) ? '\\b' : '';
  return isScoped ? `${begins}${word}::` : `${begins}${word}${ends}`;
}

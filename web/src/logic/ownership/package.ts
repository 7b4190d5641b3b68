import type { Kind, Row } from '../../api/types';

/** Packages and kinds of code as text. */

const KINDS: Readonly<Record<Kind, string>> = {
  allocator: 'allocator',
  runtime: 'runtime',
  plumbing: 'async glue',
  third_party: 'third party',
  own: 'your code',
  unknown: 'unknown code',
};

/** Kinds that code can be moved to. */
export const MOVES: readonly Kind[] = ['own', 'third_party', 'plumbing', 'runtime', 'allocator'];

/** Label of a kind. */
export function kindLabel(kind: Kind): string {
  return KINDS[kind];
}

/** `serde_json 1.0.154, third party`; empty if unknown. */
export function ownerOf(row: Row): string {
  if (row.package === '') return row.kind === 'unknown' ? '' : kindLabel(row.kind);
  return `${packageLabel(row)}, ${kindLabel(row.kind)}`;
}

/** `serde_json 1.0.154`; `(unknown)` without a name. */
export function packageLabel(of: { readonly package: string; readonly version: string }): string {
  if (of.package === '') return '(unknown)';
  return of.version === '' ? of.package : `${of.package} ${of.version}`;
}

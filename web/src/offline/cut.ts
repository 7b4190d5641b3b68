import type { Kind, View } from './view';

/** How much of an answer is told (`query/view.rs`). */

/** Reports that leave nothing small out. */
const WHOLE: ReadonlySet<Kind> = new Set(['summary', 'peek', 'tags', 'sizes', 'types', 'growth']);

function trims(view: View): boolean {
  return view.flags.has('trim') && !WHOLE.has(view.kind);
}

/** Most rows or nodes; 0 means all. */
export function nodeCount(view: View): number {
  const asked = view.numbers.get('nodecount') ?? -1;
  // Culprits, and packages.
  if (view.kind === 'summary') return asked < 0 ? 10 : asked;
  if (view.kind === 'types' || view.kind === 'growth') return asked < 0 ? 20 : asked;
  // Functions behind each class.
  if (view.kind === 'sizes') return asked < 0 ? 5 : asked;
  if (!trims(view)) return 0;
  if (asked >= 0) return asked;
  return view.kind === 'top' || view.kind === 'flame' ? 0 : 80;
}

/** Smallest share of a node. */
export function nodeFraction(view: View): number {
  return trims(view) ? (view.numbers.get('nodefraction') ?? (view.kind === 'flame' ? 0.0005 : 0.005)) : 0;
}

/** Smallest share of an edge. */
export function edgeFraction(view: View): number {
  return trims(view) ? (view.numbers.get('edgefraction') ?? 0.001) : 0;
}

/** Whether standard errors, or growth and shrinkage apart, are told. */
export function tells(view: View, what: 'errors' | 'gross'): boolean {
  return view.kind === 'summary' || (view.kind === 'types' && what === 'errors') || view.flags.has(what);
}

import type { HeldType } from '../../api/types';
import { exactly } from './pattern';

/** Container types: their labels, and the pattern that selects one. */

/** Label of a type; `unknown` where no function name shows one. */
export function typeLabel({ name }: { readonly name: string }): string {
  return name === '' ? 'unknown' : name;
}

/** The value of `type` that keeps the stacks of this type only. */
export function typePattern(of: { readonly name: string }): string {
  return exactly(typeLabel(of));
}

/**
 * How much of `whole` belongs to a type, `0 … 1`; all of it if `whole` is 0. Undefined where that is no share: in a comparison
 * a type may grow while the others shrink, or by more than all of them together.
 */
export function typeShare({ value, base }: HeldType, whole: number): number | undefined {
  const share = whole === 0 ? 1 : (value - base) / whole;
  return share < 0 || share > 1 ? undefined : share;
}

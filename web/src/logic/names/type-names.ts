import type { HeldType } from '../../api/types';
import { exactly } from './pattern';

/** Types of containers: what they are called, and how the address asks for one. */

/** What people read; what no name of a function tells is unknown. */
export function typeLabel({ name }: { readonly name: string }): string {
  return name === '' ? 'unknown' : name;
}

/** The value of `type` that keeps the stacks of this type only. */
export function typePattern(of: { readonly name: string }): string {
  return exactly(typeLabel(of));
}

/** How much of `whole` is of a type, `0 … 1`; of nothing it is all. */
export function typeShare({ value, base }: HeldType, whole: number): number {
  return whole === 0 ? 1 : (value - base) / whole;
}

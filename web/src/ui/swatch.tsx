import type { Row } from '../api/types';
import { hueOf } from '../logic/color';

/** The colour of a function's package, as in every view. */
export function Swatch({ row }: { readonly row: Row }) {
  return <span class={`swatch hue-${hueOf(row)}`} aria-hidden="true" />;
}

import { hueOf } from '../logic/color';

/** The colour of a function's package, as in every view. */
export function Swatch({ name }: { readonly name: string }) {
  return <span class={`swatch hue-${hueOf(name)}`} aria-hidden="true" />;
}

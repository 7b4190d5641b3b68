import type { HeldType } from '../api/types';
import { typeLabel, typeShare } from '../logic/names/type-names';

/** A type as tables show it; the whole one is in the tooltip. */
export function TypeName({ of }: { readonly of: { readonly name: string; readonly full_name: string } }) {
  return (
    <bdi
      class={of.name === '' ? 'muted' : 'mono type-name'}
      title={of.full_name === '' ? 'no name of a function tells a type' : of.full_name}
    >
      {typeLabel(of)}
    </bdi>
  );
}

/** The type that most of something is of, with its share where that is not all. */
export function HeldName({ held, whole }: { readonly held: HeldType; readonly whole: number }) {
  const share = typeShare(held, whole);
  return (
    <span class="type-cell">
      <TypeName of={held} />
      {held.name !== '' && share < 0.995 && <span class="type-share">{Math.round(share * 100)}%</span>}
    </span>
  );
}

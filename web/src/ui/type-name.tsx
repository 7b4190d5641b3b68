import type { HeldType } from '../api/types';
import { typeLabel, typeShare } from '../logic/names/type-names';
import { formatDelta } from '../logic/text/format';

/** A type as tables show it, with its full name as tooltip. */
export function TypeName({ of }: { readonly of: { readonly name: string; readonly full_name: string } }) {
  return (
    <bdi class={of.name === '' ? 'muted' : 'mono type-name'} title={of.full_name === '' ? 'No function name shows a type' : of.full_name}>
      {typeLabel(of)}
    </bdi>
  );
}

interface MainTypeProps {
  readonly type: HeldType;
  /** Value of everything that the type is a part of; in a comparison its change. */
  readonly whole: number;
  readonly unit: string;
  readonly outputUnit: string;
}

/** Main container type of a function: with its share unless that is all, or with its change where a share makes no sense. */
export function MainType({ type, whole, unit, outputUnit }: MainTypeProps) {
  const share = typeShare(type, whole);
  const change = formatDelta(type.value - type.base, unit, outputUnit);
  return (
    <span class="type-cell">
      <TypeName of={type} />
      {type.name !== '' && share === undefined && (
        <span class="type-share" title={`${typeLabel(type)} changed by ${change}, more than the function or against it`}>
          {change}
        </span>
      )}
      {type.name !== '' && share !== undefined && share < 0.995 && <span class="type-share">{Math.round(share * 100)}%</span>}
    </span>
  );
}

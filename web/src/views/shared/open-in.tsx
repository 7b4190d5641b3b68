import type { ComponentChildren } from 'preact';
import type { Patch } from '../../logic/url/view-url';
import type { Store } from '../../state/store';

interface Props {
  readonly store: Store;
  /** Parameters that leave only the row's stacks. */
  readonly patch: Patch;
  /** Name of the row, for screen readers. */
  readonly name: string;
  /** Further links. */
  readonly children?: ComponentChildren;
}

/** Links from a row of a table to views of its stacks alone. The table itself is the stop for Tab; f and t do the same. */
export function OpenIn({ store, patch, name, children }: Props) {
  return (
    <span class="ways">
      <a tabIndex={-1} href={store.href(patch, 'flame')} aria-label={`Flame graph of ${name}`}>
        Flame
      </a>
      <a tabIndex={-1} href={store.href(patch, 'top')} aria-label={`Top: table of ${name}`}>
        Top
      </a>
      {children}
    </span>
  );
}

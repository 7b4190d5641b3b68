import type { Patch, ViewName } from '../../logic/url/view-url';
import type { Store } from '../../state/store';

interface Props {
  readonly store: Store;
  readonly patch: Patch;
  readonly view: ViewName;
}

/** Link to the view that shows the same data as a table. */
export function TableLink({ store, patch, view }: Props) {
  return (
    <a
      class="quiet-link"
      href={store.href(patch, view)}
      onClick={(e) => {
        if (e.ctrlKey || e.metaKey) return;
        e.preventDefault();
        store.go(patch, view);
      }}
    >
      View as table
    </a>
  );
}

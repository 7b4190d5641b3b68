import { foldedKinds, SHOW_ALL } from '../../logic/url/show-level';
import type { Store } from '../../state/store';

/** Why the view does not contain the selected function. */
export function NotShown({ store }: { readonly store: Store }) {
  if (foldedKinds(store.url.value).length === 0)
    return <p class="muted">Not part of what is shown: a filter or another value type leaves it out.</p>;
  return (
    <p class="muted">
      Not part of what is shown: it may be folded, or filtered out.{' '}
      <button
        type="button"
        class="link"
        onClick={() => {
          store.go(SHOW_ALL);
        }}
      >
        Show all frames
      </button>
    </p>
  );
}

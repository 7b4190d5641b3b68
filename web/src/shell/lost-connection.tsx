import type { Problem } from '../api/fetch';
import type { Store } from '../state/store';
import { Icon } from '../ui/icons';

interface Props {
  readonly store: Store;
}

/** Message in the footer about a lost connection; the view stays as it is. */
export function Lost({ store }: Props) {
  const { lost, retry } = store.connection;
  const why = lost.value;
  return (
    <div class={why === undefined ? 'lost' : 'lost on'} role="status">
      {why !== undefined && (
        <>
          <Icon name="warning" />
          <Message why={why} />
          <button type="button" class="link" onClick={retry}>
            Try now
          </button>
        </>
      )}
    </div>
  );
}

const UNAUTHORIZED = 401;

/** Why the connection was lost, and how the page continues. */
function Message({ why }: { readonly why: Problem }) {
  if (why.kind === 'unreachable')
    return (
      <span>
        <b>The heapview server does not answer.</b> This page stays as it is and reconnects when heapview runs on the same port again.
      </span>
    );
  if (why.status === UNAUTHORIZED)
    return (
      <span>
        <b>heapview was restarted and does not know this page.</b> Each run prints a new link: open the latest one in this browser, and this
        page reconnects.
      </span>
    );
  return (
    <span>
      <b>The server does not answer this page.</b> <bdi>{[why.message, why.hint].filter((text) => text !== '').join('; ')}</bdi>
    </span>
  );
}

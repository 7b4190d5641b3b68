import type { Problem } from '../api/fetch';
import type { Store } from '../state/store';
import { Icon } from '../ui/icons';

interface Props {
  readonly store: Store;
}

/** The footer's message about a lost server: what is on the screen stays, and nothing moves. */
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

/** What happened, and how the page goes on. */
function Message({ why }: { readonly why: Problem }) {
  if (why.kind === 'unreachable')
    return (
      <span>
        <b>The heapview server does not answer.</b> What is shown stays. This page goes on by itself when the server is back: start heapview
        again with the same port.
      </span>
    );
  if (why.status === UNAUTHORIZED)
    return (
      <span>
        <b>The server does not let this page in.</b> Each run of heapview lets browsers in with links of its own. Open the link that
        heapview printed last, in this browser: this page then goes on by itself.
      </span>
    );
  return (
    <span>
      <b>The server does not answer this page.</b> <bdi>{[why.message, why.hint].filter((text) => text !== '').join('; ')}</bdi>
    </span>
  );
}

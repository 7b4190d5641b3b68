import type { Store } from '../state/store';
import { Icon } from '../ui/icons';

interface Props {
  readonly store: Store;
}

/** Says above the footer that the server is not there: what is on the screen stays, and nothing moves. */
export function Lost({ store }: Props) {
  const { lost, retry } = store.connection;
  const why = lost.value;
  const refused = why !== undefined && why.kind !== 'unreachable';
  return (
    <div class={why === undefined ? 'lost' : 'lost on'} role="status">
      {why !== undefined && (
        <>
          <Icon name="warning" />
          <span>
            <b>{refused ? 'The server refused this page.' : 'The heapview server does not answer.'}</b>{' '}
            <bdi>
              {refused
                ? [why.message, why.hint].filter((text) => text !== '').join('; ')
                : 'This page stays as it is and reconnects when heapview runs on the same port again.'}
            </bdi>
          </span>
          <button type="button" class="link" onClick={retry}>
            Try now
          </button>
        </>
      )}
    </div>
  );
}

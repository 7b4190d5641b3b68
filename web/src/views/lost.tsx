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
            <b>{refused ? 'The server does not let this page in.' : 'The heapview server does not answer.'}</b>{' '}
            <bdi>
              {refused
                ? [why.message, why.hint].filter((text) => text !== '').join('; ')
                : 'What is shown stays. This page goes on by itself when the server is back: start heapview again with the same port.'}
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

import type { Store } from '../../state/store';
import { Dialog } from '../../ui/dialog';

interface Props {
  readonly store: Store;
  /** Name of the open profile. */
  readonly open: string;
}

/** Asks whether another profile may take the place of the open one. */
export function ReplaceDialog({ store, open }: Props) {
  const wanted = store.start.replacing.value;
  const cancel = (): void => {
    store.start.answer(false);
  };
  const title = (
    <>
      Open <bdi>{wanted?.name}</bdi>?
    </>
  );
  return (
    <Dialog open={wanted !== undefined} class="replace-dialog" titleId="replace-title" title={title} question onClose={cancel}>
      {() => (
        <>
          <p>
            <bdi>{open}</bdi> closes{store.browser.kind === 'server' && ' for everyone who views this server'}. Files on disk are not
            changed; files that were dropped on the page are not kept.
          </p>
          <footer>
            <button type="button" name="cancel" onClick={cancel}>
              Cancel
            </button>
            <button
              type="button"
              class="primary"
              name="replace"
              onClick={() => {
                store.start.answer(true);
              }}
            >
              Open it
            </button>
          </footer>
        </>
      )}
    </Dialog>
  );
}

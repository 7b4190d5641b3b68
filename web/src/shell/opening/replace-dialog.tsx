import { useEffect, useRef } from 'preact/hooks';
import type { Store } from '../../state/store';

interface Props {
  readonly store: Store;
  /** What is open. */
  readonly open: string;
}

/** Asks whether another profile may take the place of the open one. */
export function ReplaceDialog({ store, open }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const wanted = store.start.replacing.value;
  const cancel = (): void => {
    store.start.answer(false);
  };
  useEffect(() => {
    const element = dialog.current;
    if (wanted !== undefined && element?.open === false) element.showModal();
    if (wanted === undefined && element?.open === true) element.close();
  }, [wanted]);
  return (
    <dialog ref={dialog} class="help replace-dialog" aria-labelledby="replace-title" onClose={cancel}>
      {wanted !== undefined && (
        <div class="help-body">
          <h2 id="replace-title">
            Open <bdi>{wanted.name}</bdi>?
          </h2>
          <p>
            <bdi>{open}</bdi> closes for everyone who views this server. Files on disk are not changed; files that were dropped on the page
            are not kept.
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
        </div>
      )}
    </dialog>
  );
}

import { useEffect, useRef } from 'preact/hooks';
import { EDITORS } from '../logic/source/editor';
import type { Store } from '../state/store';
import { Icon } from '../ui/icons';

interface Props {
  readonly store: Store;
}

/** Asks which editor opens source files; the answer is remembered. */
export function EditorDialog({ store }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const { asking, choose, cancel } = store.editing;
  const wanted = asking.value;
  useEffect(() => {
    const element = dialog.current;
    if (wanted !== undefined && element?.open === false) element.showModal();
    if (wanted === undefined && element?.open === true) element.close();
  }, [wanted]);
  return (
    <dialog ref={dialog} class="help editor-dialog" aria-labelledby="editor-title" onClose={cancel}>
      {wanted !== undefined && (
        <div class="help-body">
          <header>
            <h2 id="editor-title">Open source files with</h2>
            <button type="button" class="quiet" aria-label="Close" onClick={cancel}>
              <Icon name="close" />
            </button>
          </header>
          <div class="editor-choices">
            {EDITORS.flatMap(([value, label]) =>
              value === 'none' ? (
                []
              ) : (
                <button
                  key={value}
                  type="button"
                  data-editor={value}
                  onClick={() => {
                    choose(value);
                  }}
                >
                  {label}
                </button>
              ),
            )}
          </div>
          <p class="help-foot">Remembered in this browser; the Source view can change it.</p>
        </div>
      )}
    </dialog>
  );
}

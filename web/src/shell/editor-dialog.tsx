import { EDITORS } from '../logic/source/editor';
import type { Store } from '../state/store';
import { Dialog } from '../ui/dialog';

interface Props {
  readonly store: Store;
}

/** Asks which editor opens source files; the answer is remembered. */
export function EditorDialog({ store }: Props) {
  const { asking, choose, cancel } = store.editing;
  return (
    <Dialog open={asking.value !== undefined} class="editor-dialog" titleId="editor-title" title="Open source files with" onClose={cancel}>
      {() => (
        <>
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
          <p class="dialog-foot">Remembered in this browser; the Source view can change it.</p>
        </>
      )}
    </Dialog>
  );
}

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icons';

interface Props {
  readonly open: boolean;
  readonly class?: string;
  readonly title: ComponentChildren;
  /** Id of the title, which names the dialog. */
  readonly titleId: string;
  /** Without a button in the head, and a click beside it does not close it: the user has to answer. */
  readonly question?: boolean;
  readonly onClose: () => void;
  /** Rendered while the dialog is open. */
  readonly children: () => ComponentChildren;
}

/** The browser's modal dialog. */
export function Dialog({ open, title, titleId, question = false, onClose, children, ...props }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  // With its content, not a frame later: a key pressed between the two would go to the page, and the dialog stay open.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (open && element?.open === false) element.showModal();
    if (!open && element?.open === true) element.close();
  }, [open]);
  const heading = <h2 id={titleId}>{title}</h2>;
  return (
    <dialog
      ref={dialog}
      class={props.class === undefined ? 'dialog' : `dialog ${props.class}`}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={(e) => {
        if (!question && e.target === e.currentTarget) onClose();
      }}
    >
      {open && (
        <div class="dialog-body">
          {question ? (
            heading
          ) : (
            <header>
              {heading}
              <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
                <Icon name="close" />
              </button>
            </header>
          )}
          {children()}
        </div>
      )}
    </dialog>
  );
}

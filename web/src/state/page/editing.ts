import { signal, type ReadonlySignal } from '@preact/signals';
import { editorLink, type Editor } from '../../logic/source/editor';
import type { Browser } from './browser';
import type { Prefs } from './prefs';

/** A line of a file on this machine. */
interface FileLine {
  readonly path: string;
  readonly line: number;
}

/** Opens source files in the user's editor; asks once for the editor. */
export interface Editing {
  /** The line to open once an editor is chosen; undefined: no question is open. */
  readonly asking: ReadonlySignal<FileLine | undefined>;
  readonly open: (path: string, line: number) => void;
  /** Remembers the answer and opens the line. */
  readonly choose: (editor: Editor) => void;
  readonly cancel: () => void;
}

export function createEditing(prefs: Prefs, browser: Browser): Editing {
  const asking = signal<FileLine | undefined>(undefined);
  const open = (path: string, line: number): void => {
    const link = editorLink(prefs.editor.peek(), path, line);
    if (link === undefined) asking.value = { path, line };
    else browser.openLink(link);
  };
  return {
    asking,
    open,
    choose: (editor) => {
      const wanted = asking.peek();
      asking.value = undefined;
      prefs.setEditor(editor);
      if (wanted !== undefined && editor !== 'none') open(wanted.path, wanted.line);
    },
    cancel: () => {
      asking.value = undefined;
    },
  };
}

import { useEffect } from 'preact/hooks';
import type { SourceEntry } from '../api/types';
import { editorLink } from '../logic/editor';
import { nextHot } from '../logic/source-lines';
import { param } from '../logic/view-url';
import type { Store } from '../state/store';
import { isTyping } from './keys';

/** Turns the code beside the lines on and off. */
export function switchCode(store: Store): void {
  store.go({ line_code: param(store.url.value, 'line_code') === '' ? 't' : '' });
}

/** Keys of the Source view, wherever the focus is but in a field: n p hot lines, d code, e the editor, o what opens below the line. */
export function useSourceKeys(
  store: Store,
  entry: SourceEntry,
  line: number,
  onLine: (line: number) => void,
  onToggle: (line: number) => void,
): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (store.browser.openDialogPresent()) return;
      const hot = event.key === 'n' ? nextHot(entry, line, 1) : event.key === 'p' ? nextHot(entry, line, -1) : undefined;
      if (hot !== undefined) onLine(hot);
      else if (event.key === 'd') switchCode(store);
      else if (event.key === 'o') onToggle(line);
      else if (event.key === 'e') {
        const link = editorLink(store.prefs.editor.value, entry.path, line);
        if (link === undefined) store.say(entry.path === '' ? 'The file is not on this machine' : 'No editor is chosen');
        else store.browser.openLink(link);
      } else return;
      event.preventDefault();
    };
    return store.browser.onKey(onKey);
  }, [store, entry, line, onLine, onToggle]);
}

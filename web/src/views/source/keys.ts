import { useLayoutEffect } from 'preact/hooks';
import type { SourceEntry } from '../../api/types';
import { nextHot } from '../../logic/source/lines';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { isTyping } from '../../ui/is-typing';

/** Whether the code is beside the lines. */
export function showsCode(store: Store): boolean {
  return param(store.url.value, 'line_code') !== '';
}

/** Turns the code beside the lines on and off. */
export function switchCode(store: Store): void {
  store.go({ line_code: param(store.url.value, 'line_code') === '' ? 't' : '' });
}

/** Keys of the Source view outside of text fields: n p hot lines, d disassembly, e the editor, o calls and inlined code of the line. */
export function useSourceKeys(
  store: Store,
  entry: SourceEntry,
  line: number,
  onLine: (line: number) => void,
  onToggle: (line: number) => void,
): void {
  // With the new line on the screen, not a frame later: the next key would act on the line before.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (store.browser.openDialogPresent()) return;
      const hot = event.key === 'n' ? nextHot(entry, line, 1) : event.key === 'p' ? nextHot(entry, line, -1) : undefined;
      if (hot !== undefined) onLine(hot);
      else if (event.key === 'd') switchCode(store);
      else if (event.key === 'o') onToggle(line);
      else if (event.key === 'e') {
        if (entry.path === '') store.notify('Source file not found on this machine');
        else store.editing.open(entry.path, line);
      } else return;
      event.preventDefault();
    };
    return store.browser.onKey(onKey);
  }, [store, entry, line, onLine, onToggle]);
}

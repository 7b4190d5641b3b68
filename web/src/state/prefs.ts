import { signal, type ReadonlySignal } from '@preact/signals';
import { isEditor, type Editor } from '../logic/editor';
import type { Browser } from './browser';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** How the page looks; never what it shows. */
export interface Prefs {
  readonly theme: ReadonlySignal<Theme>;
  /** Grows whenever colours changed, for those who paint on canvas. */
  readonly paintKey: ReadonlySignal<number>;
  readonly setTheme: (theme: Theme) => void;
  /** What opens source files. */
  readonly editor: ReadonlySignal<Editor>;
  readonly setEditor: (editor: Editor) => void;
}

const KEY = 'heapview.theme';
const EDITOR = 'heapview.editor';

export function createPrefs(browser: Browser): Prefs {
  const theme = signal<Theme>(THEMES.find((t) => t === browser.recall(KEY)) ?? 'system');
  const paintKey = signal(0);
  const recalled = browser.recall(EDITOR);
  const editor = signal<Editor>(isEditor(recalled) ? recalled : 'none');
  browser.setTheme(theme.peek());
  browser.onSystemTheme(() => {
    paintKey.value += 1;
  });
  return {
    theme,
    paintKey,
    editor,
    setEditor: (next) => {
      editor.value = next;
      browser.remember(EDITOR, next);
    },
    setTheme: (next) => {
      theme.value = next;
      browser.setTheme(next);
      browser.remember(KEY, next);
      paintKey.value += 1;
    },
  };
}

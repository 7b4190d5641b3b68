import { signal, type ReadonlySignal } from '@preact/signals';
import type { Browser } from './browser';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** How the page looks; never what it shows. */
export interface Prefs {
  readonly theme: ReadonlySignal<Theme>;
  /** Grows whenever colours changed, for those who paint on canvas. */
  readonly paintKey: ReadonlySignal<number>;
  readonly setTheme: (theme: Theme) => void;
}

const KEY = 'heapview.theme';

export function createPrefs(browser: Browser): Prefs {
  const theme = signal<Theme>(THEMES.find((t) => t === browser.recall(KEY)) ?? 'system');
  const paintKey = signal(0);
  browser.setTheme(theme.peek());
  browser.onSystemTheme(() => {
    paintKey.value += 1;
  });
  return {
    theme,
    paintKey,
    setTheme: (next) => {
      theme.value = next;
      browser.setTheme(next);
      browser.remember(KEY, next);
      paintKey.value += 1;
    },
  };
}

import { signal, type ReadonlySignal } from '@preact/signals';
import type { Browser } from './browser';

/** Whether the toolbar has room for its options; the style sheet makes tabs narrower at the same widths. */
export interface Width {
  /** All options fit beside the tabs. */
  readonly isWide: ReadonlySignal<boolean>;
  /** Not even the value type fits. */
  readonly isNarrow: ReadonlySignal<boolean>;
}

export function createWidth(browser: Browser): Width {
  return { isWide: matching(browser, '(min-width: 1641px)'), isNarrow: matching(browser, '(max-width: 1180px)') };
}

function matching(browser: Browser, query: string): ReadonlySignal<boolean> {
  const matches = signal(false);
  browser.watchMedia(query, (now) => {
    matches.value = now;
  });
  return matches;
}

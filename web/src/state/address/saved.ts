import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { freeName, readViews, viewsFile, withViews, type SavedView } from '../../logic/url/saved-views';
import { hrefOf, parseUrl, type ViewUrl } from '../../logic/url/view-url';
import type { Browser } from '../page/browser';

/** Named views, kept in this browser. */
export interface Saved {
  readonly views: ReadonlySignal<readonly SavedView[]>;
  readonly save: (name: string, query: string) => string;
  readonly rename: (from: string, to: string) => void;
  readonly remove: (name: string) => void;
  /** Adds the views of a file; returns their number, or undefined if the file has another format. */
  readonly add: (text: string) => number | undefined;
}

const KEY = 'heapview.views';

export function createSaved(browser: Browser): Saved {
  const views = signal<readonly SavedView[]>(readViews(browser.recall(KEY) ?? '') ?? []);
  const keep = (next: readonly SavedView[]): void => {
    views.value = next;
    browser.remember(KEY, viewsFile(next));
  };
  return {
    views,
    save: (name, query) => {
      const free = freeName(views.peek(), name);
      keep([...views.peek(), { name: free, query }]);
      return free;
    },
    rename: (from, to) => {
      const others = views.peek().filter((v) => v.name !== from);
      keep(views.peek().map((v) => (v.name === from ? { ...v, name: freeName(others, to) } : v)));
    },
    remove: (name) => {
      keep(views.peek().filter((v) => v.name !== name));
    },
    add: (text) => {
      const more = readViews(text);
      if (more !== undefined) keep(withViews(views.peek(), more));
      return more?.length;
    },
  };
}

/** Opens an address of this page, as a new entry in the history. */
export function opener(browser: Browser, url: Signal<ViewUrl>, unknownPath: Signal<string>): (href: string) => void {
  return (href) => {
    const next = parseUrl(href);
    if (next === undefined) return;
    unknownPath.value = '';
    url.value = next;
    browser.push(hrefOf(next));
  };
}

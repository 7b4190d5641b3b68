import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Meta } from '../../api/types';
import { isStartPath, START_PATH } from '../../logic/url/start-path';
import { hrefOf, patchUrl, type Patch, type ViewName, type ViewUrl } from '../../logic/url/view-url';
import { createAddress } from './address';
import type { Browser } from '../page/browser';
import { opener } from './saved';
import type { Show } from './show-level';

export interface Navigation {
  /** The view with its parameters, as in the address. */
  readonly url: ReadonlySignal<ViewUrl>;
  /** Path that is not a view; empty if the address is known. */
  readonly unknownPath: ReadonlySignal<string>;
  /** Why the page may show something other than its link was made for; empty if it does not. */
  readonly linkNote: Signal<string>;
  href(patch: Patch, view?: ViewName): string;
  /** Changes the address with a new entry in the history, for clicks. */
  go(patch: Patch, view?: ViewName): void;
  /** Changes the current entry of the history, for typing and panning. */
  adjust(patch: Patch): void;
  /** Shows the start page; `url` does not change. */
  openStart(): void;
  /** Opens an address of this page. */
  open(href: string): void;
}

const FALLBACK: ViewUrl = { view: 'summary', params: [] };

/** Keeps the address of the browser and `url` the same; `onLeave` is called before another address opens. */
export function createNavigation(
  browser: Browser,
  meta: ReadonlySignal<Meta | undefined>,
  show: Show,
  onLeave: () => void,
): Navigation & { readonly reload: () => void; readonly restart: () => void } {
  const { read, linkNote } = createAddress(browser, meta, show);
  const first = read();
  const url = signal<ViewUrl>(first ?? FALLBACK);
  const unknownPath = signal(first === undefined ? browser.readUrl() : '');
  const enter = (): void => {
    const next = read();
    unknownPath.value = next === undefined ? browser.readUrl() : '';
    url.value = next ?? (isStartPath(unknownPath.value) ? url.peek() : FALLBACK);
    onLeave();
  };
  browser.onMove(enter);
  return {
    url,
    unknownPath,
    linkNote,
    /** Reads the address again: the meaning of a bare one changed. */
    reload: () => {
      if (isStartPath(browser.readUrl())) browser.replace('/');
      enter();
    },
    /** Opens the bare address. */
    restart: () => {
      browser.push('/');
      enter();
    },
    openStart: () => {
      onLeave();
      unknownPath.value = START_PATH;
      browser.push(START_PATH);
    },
    href: (patch, view) => browser.link(hrefOf(patchUrl(url.value, patch, view ?? url.value.view))),
    go: (patch, view = url.peek().view) => {
      const next = patchUrl(url.peek(), patch, view);
      const wasUnknown = unknownPath.peek() !== '';
      onLeave();
      unknownPath.value = '';
      if (!wasUnknown && hrefOf(next) === hrefOf(url.peek())) return;
      url.value = next;
      browser.push(hrefOf(next));
    },
    adjust: (patch) => {
      const next = patchUrl(url.peek(), patch);
      if (hrefOf(next) === hrefOf(url.peek())) return;
      url.value = next;
      browser.replace(hrefOf(next));
    },
    open: opener(browser, url, unknownPath),
  };
}

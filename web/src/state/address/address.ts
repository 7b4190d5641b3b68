import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Meta } from '../../api/types';
import { resolveDumps } from '../../logic/url/link-dumps';
import { levelPatch, hasLevel } from '../../logic/url/show-level';
import { hrefOf, isBare, patchUrl, withDefaults, type ViewUrl } from '../../logic/url/view-url';
import type { Browser } from '../page/browser';
import type { Show } from './show-level';

/** Reads the browser's address. */
export interface Address {
  /** The view with its parameters; undefined for an unknown path. Completes an incomplete address. */
  readonly read: () => ViewUrl | undefined;
  /** Why the page may show something other than its link was made for; empty if it does not. */
  readonly linkNote: Signal<string>;
}

export function createAddress(browser: Browser, meta: ReadonlySignal<Meta | undefined>, show: Show): Address {
  const linkNote = signal('');
  const read = (): ViewUrl | undefined => {
    const [href, started] = [browser.readUrl(), meta.peek()?.query ?? []];
    const requested = withDefaults(href, started);
    if (requested === undefined) return undefined;
    let next = requested;
    const dumps = meta.peek()?.dumps ?? [];
    if (dumps.length > 0) {
      const { url, note } = resolveDumps(requested, dumps);
      linkNote.value = note;
      next = url;
    }
    if (!hasLevel(requested) && isBare(href, started)) {
      show.begin();
      next = patchUrl(next, levelPatch(show.usual()));
    }
    if (next !== requested) browser.replace(hrefOf(next));
    return next;
  };
  return { read, linkNote };
}

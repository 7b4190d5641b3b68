import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Meta, Row } from '../api/types';
import { withDumpNames } from '../logic/url/link-dumps';
import { functionOf } from '../logic/names/names';
import { either, filterPattern, functionPattern, peekPattern } from '../logic/names/pattern';
import { foldsClosures, revealPatch } from '../logic/url/show';
import { hrefOf, param, patchUrl, type Patch, type ViewName, type ViewUrl } from '../logic/url/view-url';
import { withFunction } from '../logic/ownership/wrappers';
import type { Browser } from './page/browser';
import type { Editing } from './page/editing';
import { fetchSourceLine } from './report/snippet';

/** Actions of a function's menu. */
export type MenuAction =
  'focus' | 'ignore' | 'hide' | 'show_from' | 'wrapper' | 'no-wrapper' | 'callers' | 'source' | 'editor' | 'copy-name' | 'copy-link';

interface Parts {
  readonly url: ReadonlySignal<ViewUrl>;
  readonly meta: ReadonlySignal<Meta | undefined>;
  readonly menu: Signal<unknown>;
  readonly editing: Editing;
  readonly browser: Browser;
  readonly go: (patch: Patch, view?: ViewName) => void;
  readonly notify: (text: string) => void;
}

/** The menu's actions on one function. */
export function createActions({ url, meta, menu, editing, browser, go, notify }: Parts): (action: MenuAction, row: Row) => void {
  const copy = async (text: string, what: string): Promise<void> => {
    notify((await browser.copy(text)) ? `${what} copied` : `The browser did not allow copying: ${text}`);
  };
  const openInEditor = async (row: Row): Promise<void> => {
    const found = await fetchSourceLine(url.peek(), row);
    if (found === undefined) notify('Source file not found on this machine');
    else editing.open(found.path, found.line);
  };
  return (action, row) => {
    const name = functionOf(row);
    const folds = foldsClosures(url.peek());
    const pattern = filterPattern(name, folds);
    const reveal = revealPatch(url.peek(), row.kind);
    menu.value = undefined;
    switch (action) {
      // The zoomed box may not exist in the new tree.
      case 'focus':
        go({ f: pattern, zoom: '' });
        break;
      case 'show_from':
        go({ sf: pattern, zoom: '' });
        break;
      case 'ignore':
        go({ i: either(param(url.peek(), 'i'), pattern), zoom: '' });
        break;
      case 'hide':
        go({ h: either(param(url.peek(), 'h'), pattern), zoom: '' });
        break;
      case 'wrapper':
        go({ kinds: withFunction(param(url.peek(), 'kinds'), name, 'allocator'), zoom: '' });
        break;
      case 'no-wrapper':
        go({ kinds: withFunction(param(url.peek(), 'kinds'), name, 'own'), zoom: '' });
        break;
      case 'callers':
        go({ ...reveal, peek: peekPattern(name), sel: name }, 'callers');
        break;
      case 'source':
        // A row that is a file means all functions in it.
        go(
          {
            ...reveal,
            list: functionPattern(name, folds),
            list_files: name === row.file ? 't' : '',
            sel: name,
            in: '',
            line: '',
            lines: '',
          },
          'source',
        );
        break;
      case 'editor':
        void openInEditor(row);
        break;
      case 'copy-name':
        void copy(name, 'Name');
        break;
      case 'copy-link':
        void copy(browser.absolute(hrefOf(withDumpNames(patchUrl(url.peek(), { sel: name }), meta.peek()?.dumps ?? []))), 'Link');
        break;
    }
  };
}

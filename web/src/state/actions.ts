import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Meta, Row } from '../api/types';
import { withDumpNames } from '../logic/url/link-dumps';
import { functionOf } from '../logic/names/names';
import { either, filterPattern, functionPattern, peekPattern } from '../logic/names/pattern';
import { foldsClosures, revealPatch } from '../logic/url/show-level';
import { hrefOf, param, patchUrl, type Patch, type ViewName, type ViewUrl } from '../logic/url/view-url';
import type { Browser } from './page/browser';
import type { Editing } from './page/editing';
import type { OwnershipState } from './report/ownership';
import { fetchSourceLine } from './report/source-snippet';

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
  readonly changeRules: OwnershipState['changeRules'];
  readonly notify: (text: string) => void;
}

/** The menu's actions on one function. */
export function createActions({
  url,
  meta,
  menu,
  editing,
  browser,
  go,
  changeRules,
  notify,
}: Parts): (action: MenuAction, row: Row) => void {
  const copy = async (text: string, what: string): Promise<void> => {
    notify((await browser.copy(text)) ? `${what} copied` : `The browser did not allow copying: ${text}`);
  };
  const openInEditor = async (row: Row): Promise<void> => {
    const found = await fetchSourceLine(url.peek(), row);
    if (found === undefined) notify('Source file not found on this machine');
    else editing.open(found.path, found.line);
  };
  return (action, row) => {
    menu.value = undefined;
    const name = functionOf(row);
    const current = url.peek();
    switch (action) {
      case 'editor':
        void openInEditor(row);
        break;
      case 'copy-name':
        void copy(name, 'Name');
        break;
      case 'copy-link':
        void copy(browser.absolute(hrefOf(withDumpNames(patchUrl(current, { sel: name }), meta.peek()?.dumps ?? []))), 'Link');
        break;
      case 'callers':
        go({ ...revealPatch(current, row.kind), peek: peekPattern(name), sel: name }, 'callers');
        break;
      case 'source':
        go({ ...revealPatch(current, row.kind), ...sourcePatch(current, row) }, 'source');
        break;
      case 'wrapper':
        changeRules({ function: name, to: 'allocator' });
        break;
      case 'no-wrapper':
        changeRules({ function: name, to: 'own' });
        break;
      default:
        go(filterPatch(action, current, name));
    }
  };
}

/** Lines of a function; a row that is a file means all functions in it. */
function sourcePatch(url: ViewUrl, row: Row): Patch {
  const name = functionOf(row);
  return {
    ...{ list: functionPattern(name, foldsClosures(url)), list_files: name === row.file ? 't' : '' },
    ...{ sel: name, in: '', line: '', lines: '' },
  };
}

type Filter = Exclude<MenuAction, 'editor' | 'copy-name' | 'copy-link' | 'callers' | 'source' | 'wrapper' | 'no-wrapper'>;

/** Options that filter by a function. Without zoom: the zoomed box may not exist in the new tree. */
function filterPatch(action: Filter, url: ViewUrl, name: string): Patch {
  const pattern = filterPattern(name, foldsClosures(url));
  switch (action) {
    case 'focus':
      return { f: pattern, zoom: '' };
    case 'show_from':
      return { sf: pattern, zoom: '' };
    case 'ignore':
      return { i: either(param(url, 'i'), pattern), zoom: '' };
    case 'hide':
      return { h: either(param(url, 'h'), pattern), zoom: '' };
    default:
      return action satisfies never;
  }
}

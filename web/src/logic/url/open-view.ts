import { functionPattern, peekPattern } from '../names/pattern';
import { foldsClosures } from './show-level';
import type { Patch, ViewName, ViewUrl } from './view-url';

/** Changes of the address when another view is opened: Callers and Source show the selected function. */
export function openViewPatch(url: ViewUrl, selected: string, view: ViewName): Patch {
  if (selected === '' || url.view === view) return {};
  if (view === 'callers') return { peek: peekPattern(selected) };
  return view === 'source' ? { list: functionPattern(selected, foldsClosures(url)), list_files: '', in: '', line: '', lines: '' } : {};
}

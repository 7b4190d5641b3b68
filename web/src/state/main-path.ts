import type { Pattern } from '../logic/pattern';
import { PAGE_ROWS } from '../logic/row-pages';
import { apiPath, param, type ViewUrl } from '../logic/view-url';

/** Where the API answers for the view on the screen. Long tables come in windows, trees with their open rows only. */
export function mainPath(url: ViewUrl, search: Pattern): string {
  const find = search.kind === 'ok' ? search.source : '';
  const rows = `0-${PAGE_ROWS}`;
  switch (url.view) {
    case 'top':
      return apiPath(url, 'top', { find, rows, counts: 't' });
    case 'tree':
      return apiPath(url, 'flame', { open: param(url, 'open') || 'auto', counts: 't' });
    case 'flame':
      return apiPath(url, 'flame', { open: '' });
    case 'callers':
      // Callers of nothing: the picker needs the list of functions.
      return param(url, 'peek') === ''
        ? apiPath(url, 'top', { find, rows, counts: 't', sort: '', order: param(url, 'order') || 'cum' })
        : apiPath(url, 'peek', { counts: 't' });
    default:
      return apiPath(url);
  }
}

import type { Pattern } from '../../logic/names/pattern';
import { PAGE_ROWS } from '../../logic/table/row-pages';
import { withoutLevel } from '../../logic/url/show-level';
import { apiPath, param, type ViewUrl } from '../../logic/url/view-url';

/** Rows of the timeline's table, each with its value at every dump. */
const MOST_GROWING = '100';

/** Rows of the table of types: programs have a few hundred at most, most of them tiny. */
const MOST_TYPES = '400';

const FIRST_ROWS = `0-${PAGE_ROWS}`;

/** Whether the table of functions has the column of types: it takes time to add up. */
function tellsTypes(url: ViewUrl): boolean {
  return param(url, 'cols').split(',').includes('type') || /^-?type$/.test(param(url, 'order'));
}

/** Requests sampling errors and, with a base, gross changes; the server sends them only where they exist. */
export const ERROR_COLUMNS = { errors: 't', gross: 't' } as const;

/**
 * The order of a table of functions: without a base a difference is the value. Named, as the server's own order sorts what
 * holds nothing itself by name, not by what it holds with its callees.
 */
export function orderWord(url: ViewUrl): string {
  return param(url, 'order') || (param(url, 'sort') === 'cum' ? 'cumdelta' : 'delta');
}

/** Callers or Source without a function: the functions to choose from, top memory holders first. */
function choicePath(url: ViewUrl, find: string): string {
  const charged = find === '' ? { culprit: 't' } : {};
  return apiPath(url, 'top', { find, rows: FIRST_ROWS, counts: 't', sort: '', ...charged, order: param(url, 'order') || 'delta' });
}

/** API path for the current view. `hasRatios`: the profile has lifetimes or accesses, which tables of functions show. Long tables are fetched in windows, trees with their open rows only. */
export function mainPath(url: ViewUrl, search: Pattern, hasRatios = false): string {
  const find = search.kind === 'ok' ? search.source : '';
  const rows = FIRST_ROWS;
  switch (url.view) {
    case 'top':
      return apiPath(url, 'top', {
        find,
        rows,
        counts: 't',
        order: orderWord(url),
        with_type: tellsTypes(url) ? 't' : '',
        ratios: hasRatios ? 't' : '',
        ...ERROR_COLUMNS,
      });
    case 'tree':
      return apiPath(url, 'flame', { open: param(url, 'open') || 'auto', counts: 't', ...ERROR_COLUMNS });
    case 'flame':
      return apiPath(url, 'flame', { open: '', ...ERROR_COLUMNS });
    case 'callers':
      return param(url, 'peek') === '' ? choicePath(url, find) : apiPath(url, 'peek', { counts: 't', ...ERROR_COLUMNS });
    case 'source':
      return param(url, 'list') === '' ? choicePath(url, find) : apiPath(url, 'source', { line_calls: 't' });
    case 'types':
      return apiPath(url, 'types', { n: MOST_TYPES, ...withoutLevel(url) });
    case 'timeline':
      return apiPath(url, 'growth', { n: MOST_GROWING, ...withoutLevel(url) });
    case 'summary':
    case 'sizes':
      return apiPath(url, url.view, withoutLevel(url));
    default:
      return apiPath(url);
  }
}

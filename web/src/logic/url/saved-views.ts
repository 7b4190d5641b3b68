import { hrefOf, parseUrl } from './view-url';

/** Views under a name: only their addresses, never data. */

export interface SavedView {
  readonly name: string;
  /** Path and query, as in the address. */
  readonly query: string;
}

const FORMAT = 'heapview views';
const MOST = 1000;
const LONGEST_NAME = 200;
const LONGEST_QUERY = 20_000;

function field(body: unknown, key: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
}

function isView(body: unknown): body is SavedView {
  const [name, query] = [field(body, 'name'), field(body, 'query')];
  return (
    typeof name === 'string' &&
    name.trim() !== '' &&
    name.length <= LONGEST_NAME &&
    typeof query === 'string' &&
    query.length <= LONGEST_QUERY &&
    // A path of this server: `//host` would be another's.
    /^\/(?!\/)/.test(query) &&
    parseUrl(query) !== undefined
  );
}

/** The views of a file that `viewsFile` wrote; undefined if the text has another format. */
export function readViews(text: string): readonly SavedView[] | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const views = field(body, 'views');
  if (field(body, 'format') !== FORMAT || !Array.isArray(views)) return undefined;
  const all: readonly unknown[] = views;
  return all
    .filter(isView)
    .slice(0, MOST)
    .map(({ name, query }) => ({ name: name.trim(), query: normal(query) }));
}

function normal(query: string): string {
  const url = parseUrl(query);
  return url === undefined ? query : hrefOf(url);
}

export function viewsFile(views: readonly SavedView[]): string {
  return `${JSON.stringify({ format: FORMAT, version: 1, views }, null, 2)}\n`;
}

/** A name that no view has: `leak`, `leak (2)`, … */
export function freeName(views: readonly SavedView[], name: string): string {
  const taken = new Set(views.map((v) => v.name));
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name} (${n})`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** The list with others appended; duplicates are dropped, others with a used name get a new one. */
export function withViews(views: readonly SavedView[], more: readonly SavedView[]): readonly SavedView[] {
  return more.reduce<readonly SavedView[]>(
    (all, view) =>
      all.some((v) => v.name === view.name && v.query === view.query) ? all : [...all, { ...view, name: freeName(all, view.name) }],
    views,
  );
}

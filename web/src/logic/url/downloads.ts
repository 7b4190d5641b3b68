import { apiPath, hrefOf, param, type ViewName, type ViewUrl } from './view-url';

/** Files that a view can be saved as, with their API paths, and copies on the clipboard. */
export interface Download {
  readonly label: string;
  readonly hint: string;
  /** API path. */
  readonly href?: string;
  /** Format of an image that the page makes of the view. */
  readonly draw?: 'svg' | 'png';
  /** Goes to the clipboard instead of a file. */
  readonly copy?: 'image' | 'markdown';
  readonly ending: string;
}

/** Path of the report file that opens at this view. */
export function reportHref(url: ViewUrl): string {
  const query = apiPath(url, 'source', OF_REPORT).split('?', 2)[1] ?? '';
  return `/api/v1/report.html?address=${encodeURIComponent(hrefOf(url))}${query === '' ? '' : `&${query}`}`;
}

/** Parameters of one function's source lines: a report has those of many. */
const OF_REPORT = { list: '', list_files: '', line_code: '', list_around: '' } as const;

/** Rows of a table that is copied as text. */
const MARKDOWN_ROWS = '30';

/** Path of the text that is copied as Markdown; undefined for the summary, which is Markdown itself. */
export function markdownPath(url: ViewUrl): string | undefined {
  if (url.view === 'summary') return undefined;
  const kind = kindOf(url) ?? 'top';
  // Pictures have no text: the functions with most memory are copied instead.
  const isPicture = kind === 'flame' || kind === 'graph';
  const rows = { n: param(url, 'n') || MARKDOWN_ROWS };
  const [path = '', query = ''] = apiPath(
    url,
    isPicture ? 'top' : kind,
    isPicture ? { ...rows, sort: 'cum' } : kind === 'source' ? {} : rows,
  ).split('?', 2);
  return `${path}.txt${query === '' ? '' : `?${query}`}`;
}

function api(url: ViewUrl, kind: Parameters<typeof apiPath>[1], ending: string): string {
  const [path = '', query = ''] = apiPath(url, kind).split('?', 2);
  return `${path}.${ending}?download${query === '' ? '' : `&${query}`}`;
}

/** The options of reports that a profile has as well. */
function profileHref(url: ViewUrl): string {
  const query = apiPath(url, 'top').split('?', 2)[1] ?? '';
  return `/download${query === '' ? '' : `?${query}`}`;
}

const KINDS: Readonly<Partial<Record<ViewName, 'flame' | 'graph' | 'top' | 'peek' | 'source' | 'sizes' | 'growth' | 'types'>>> = {
  flame: 'flame',
  graph: 'graph',
  top: 'top',
  tree: 'flame',
  source: 'source',
  sizes: 'sizes',
  timeline: 'growth',
  types: 'types',
};

/** Downloads of the current view; filters, base and value type apply to every file. Only owners of a server export reports, with `hasSources` if it reads source files. */
export function downloadsOf(url: ViewUrl, mayExport = true, hasSources = true): readonly Download[] {
  const hasPicture = url.view === 'flame' || url.view === 'graph' || url.view === 'sizes' || url.view === 'timeline';
  const report = {
    label: 'HTML report',
    hint: hasSources ? 'this view, with source lines' : 'this view, opens anywhere',
    href: reportHref(url),
    ending: 'html',
  };
  return [
    ...(hasPicture ? [{ label: 'Copy image', hint: 'PNG, to the clipboard', copy: 'image' as const, ending: 'png' }] : []),
    { label: 'Copy as Markdown', hint: 'for an issue or chat', copy: 'markdown', ending: 'md' },
    ...(mayExport ? [report] : []),
    ...filesOf(url),
  ];
}

function kindOf(url: ViewUrl) {
  return url.view === 'callers' ? (param(url, 'peek') === '' ? 'top' : 'peek') : KINDS[url.view];
}

/** Files of the view. */
function filesOf(url: ViewUrl): readonly Download[] {
  const { view } = url;
  const kind = kindOf(url);
  const drawn = view === 'graph' || view === 'sizes' || view === 'timeline';
  const tables: readonly Download[] =
    kind === undefined
      ? []
      : [
          { label: 'CSV', hint: 'for spreadsheets', href: api(url, kind, 'csv'), ending: 'csv' },
          { label: 'JSON', hint: 'machine-readable', href: api(url, kind, 'json'), ending: 'json' },
          ...(kind === 'graph'
            ? [{ label: 'DOT', hint: 'for Graphviz', href: api(url, kind, 'dot'), ending: 'dot' }]
            : [{ label: 'Text', hint: 'plain text', href: api(url, kind, 'txt'), ending: 'txt' }]),
        ];
  return [
    { label: 'Profile', hint: 'pb.gz, filtered', href: profileHref(url), ending: 'pb.gz' },
    { label: 'Collapsed stacks', hint: 'for flame graph tools', href: api(url, 'traces', 'folded'), ending: 'folded' },
    ...(view === 'flame' ? [{ label: 'SVG', hint: 'interactive picture', href: api(url, 'flame', 'svg'), ending: 'svg' }] : []),
    ...(view === 'summary' ? [{ label: 'Markdown', hint: 'summary for an issue', href: api(url, 'summary', 'md'), ending: 'md' }] : []),
    ...(drawn ? [{ label: 'SVG', hint: 'vector picture', draw: 'svg' as const, ending: 'svg' }] : []),
    ...(drawn || view === 'flame' ? [{ label: 'PNG', hint: '2× resolution', draw: 'png' as const, ending: 'png' }] : []),
    ...tables,
  ];
}

/** `forest-inuse_space-graph.svg`, as the server names files. */
export function fileName(parts: readonly string[], ending: string): string {
  const plain = parts.map((p) =>
    p
      .slice(0, 60)
      .replace(/[^A-Za-z0-9._-]/g, '_')
      .replace(/^\.+|\.+$/g, ''),
  );
  return `${plain.filter((p) => p !== '').join('-')}.${ending}`;
}

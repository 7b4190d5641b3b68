import { apiPath, param, type ViewName, type ViewUrl } from './view-url';

/** Which files a view has, and where the server gives them. */
export interface Download {
  readonly label: string;
  readonly hint: string;
  /** An address of the server; of a picture that the page draws itself: which. */
  readonly href?: string;
  readonly draw?: 'svg' | 'png';
  /** A report that the page writes itself: the question. */
  readonly ask?: string;
  readonly ending: string;
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

/** What the current view can be kept as: filters, base and value type are in every file. */
export function downloadsOf(url: ViewUrl, inFile = false): readonly Download[] {
  if (!inFile) return ofServer(url);
  // Without a server what the page makes itself is left: pictures, and its report.
  const own = ofServer(url).filter((file) => file.draw !== undefined);
  const kind = kindOf(url);
  if (kind === undefined || kind === 'source') return own;
  return [...own, { label: 'JSON', hint: 'the report as programs read it', ask: apiPath(url, kind), ending: 'json' }];
}

function kindOf(url: ViewUrl) {
  return url.view === 'callers' ? (param(url, 'peek') === '' ? 'top' : 'peek') : KINDS[url.view];
}

function ofServer(url: ViewUrl): readonly Download[] {
  const { view } = url;
  const kind = kindOf(url);
  const drawn = view === 'graph' || view === 'sizes' || view === 'timeline';
  const tables: readonly Download[] =
    kind === undefined
      ? []
      : [
          { label: 'CSV', hint: 'a table for spreadsheets', href: api(url, kind, 'csv'), ending: 'csv' },
          { label: 'JSON', hint: 'the report as programs read it', href: api(url, kind, 'json'), ending: 'json' },
          ...(kind === 'graph'
            ? [{ label: 'DOT', hint: 'for Graphviz', href: api(url, kind, 'dot'), ending: 'dot' }]
            : [{ label: 'Text', hint: 'as a terminal shows it', href: api(url, kind, 'txt'), ending: 'txt' }]),
        ];
  return [
    { label: 'Profile', hint: 'pb.gz, what filters leave', href: profileHref(url), ending: 'pb.gz' },
    { label: 'Collapsed stacks', hint: 'for flame graph tools', href: api(url, 'traces', 'folded'), ending: 'folded' },
    ...(view === 'flame' ? [{ label: 'SVG', hint: 'a picture that zooms by itself', href: api(url, 'flame', 'svg'), ending: 'svg' }] : []),
    ...(view === 'summary' ? [{ label: 'Markdown', hint: 'the answer for an issue', href: api(url, 'summary', 'md'), ending: 'md' }] : []),
    ...(drawn ? [{ label: 'SVG', hint: 'the picture as it is', draw: 'svg' as const, ending: 'svg' }] : []),
    ...(drawn || view === 'flame' ? [{ label: 'PNG', hint: 'the picture, twice as fine', draw: 'png' as const, ending: 'png' }] : []),
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

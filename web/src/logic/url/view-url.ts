/**
 * The address is the state: a view and its parameters. Values are not interpreted here,
 * only set, removed and passed on; the server reads them.
 */
import { type ApiKind, isSent } from './api-kind';

/** In the order of the keys 1 … 9; the last has a letter. */
export const VIEWS = ['summary', 'flame', 'graph', 'top', 'tree', 'callers', 'source', 'sizes', 'timeline', 'types'] as const;
export type ViewName = (typeof VIEWS)[number];

/** In the order of the tabs. */
export const TABS: readonly ViewName[] = VIEWS.flatMap((view) =>
  view === 'types' ? [] : view === 'sizes' ? [view, 'types' as const] : [view],
);

/** The key of a view. */
export function viewKey(view: ViewName): string {
  return view === 'types' ? 'y' : String(VIEWS.indexOf(view) + 1);
}

/** Labels of tabs. */
export const VIEW_LABELS: Readonly<Record<ViewName, string>> = {
  summary: 'Summary',
  flame: 'Flame graph',
  graph: 'Graph',
  top: 'Top',
  tree: 'Tree',
  callers: 'Callers',
  source: 'Source',
  sizes: 'Sizes',
  timeline: 'Timeline',
  types: 'Types',
};

/** First path segment → view; pprof's own paths mean the same. */
const PATHS: Readonly<Record<string, ViewName>> = {
  '': 'summary',
  summary: 'summary',
  flamegraph: 'flame',
  flame: 'flame',
  flamegraph2: 'flame',
  flamegraphold: 'flame',
  graph: 'graph',
  top: 'top',
  tree: 'tree',
  callers: 'callers',
  peek: 'callers',
  source: 'source',
  disasm: 'source',
  sizes: 'sizes',
  timeline: 'timeline',
  growth: 'timeline',
  types: 'types',
};
const PATH_OF: Readonly<Record<ViewName, string>> = {
  summary: '/',
  flame: '/flamegraph',
  graph: '/graph',
  top: '/top',
  tree: '/tree',
  callers: '/callers',
  source: '/source',
  sizes: '/sizes',
  timeline: '/timeline',
  types: '/types',
};

export interface ViewUrl {
  readonly view: ViewName;
  /** In the order of the address, names as written there. */
  readonly params: readonly (readonly [string, string])[];
}

/** pprof's short names of fields that the page itself sets or shows. */
const ALIASES: Readonly<Record<string, string>> = {
  focus: 'f',
  ignore: 'i',
  hide: 'h',
  hide_kind: 'hk',
  show: 's',
  show_from: 'sf',
  tagfocus: 'tf',
  tagignore: 'ti',
  sample_index: 'si',
  nodecount: 'n',
  nodefraction: 'nf',
  edgefraction: 'ef',
  granularity: 'g',
  prune_from: 'prunefrom',
  tagshow: 'ts',
  taghide: 'th',
  drop_negative: 'dropneg',
  call_tree: 'calltree',
  normalize: 'norm',
  relative_percentages: 'rel',
};

/** Report that a view draws. */
export const KIND_OF: Readonly<Record<ViewName, ApiKind>> = {
  summary: 'summary',
  flame: 'flame',
  graph: 'graph',
  top: 'top',
  tree: 'flame',
  callers: 'peek',
  source: 'source',
  sizes: 'sizes',
  timeline: 'growth',
  types: 'types',
};

function same(a: string, b: string): boolean {
  return (ALIASES[a] ?? a) === (ALIASES[b] ?? b);
}

/** Reads path and query; undefined if the path is not a view. */
export function parseUrl(href: string): ViewUrl | undefined {
  const at = href.indexOf('?');
  const path = (at < 0 ? href : href.slice(0, at)).replace(/^\/ui(?=\/|$)/, '').replace(/^\/+|\/+$/g, '');
  const view = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined;
  if (view === undefined) return undefined;
  const params = [...new URLSearchParams(at < 0 ? '' : href.slice(at))];
  return { view, params: [...params, ...ofPprof(path, /^\/?ui\//.test(href), params)] };
}

/** Addresses of pprof's own page name the function for callers, source or code in the focus parameter. */
function ofPprof(path: string, isOld: boolean, params: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] {
  const has = (name: string): boolean => params.some(([k]) => k === name);
  const focus = params.find(([k]) => same(k, 'f'))?.[1];
  if (path === 'peek' && !has('peek')) return focus === undefined ? [] : [['peek', focus]];
  const code: readonly (readonly [string, string])[] = path === 'disasm' && !has('line_code') ? [['line_code', 't']] : [];
  if (!(path === 'disasm' || (path === 'source' && isOld)) || has('list') || focus === undefined) return code;
  // There, files and programs match as well.
  return [['list', focus], ['list_files', 't'], ...code];
}

/** The same; a bare `/` means the parameters that the program was started with. */
export function withDefaults(href: string, started: readonly (readonly string[])[]): ViewUrl | undefined {
  const url = parseUrl(href);
  return url !== undefined && /^\/?$/.test(href) ? { ...url, params: started.map(([k = '', v = '']) => [k, v]) } : url;
}

/**
 * Parameters that decide which frames are shown: the level itself, and patterns of function names, which must find their
 * functions. All others (value type, dumps, unit, order, zoom, labels, packages, …) mean the same at every level.
 */
const DECIDES_FRAMES = ['hide_kind', 'culprit', 'f', 'i', 'h', 's', 'sf', 'prunefrom', 'peek', 'list'];

/** Whether parameters decide which frames are shown; those that the program was started with do not count. */
function decidesFrames(params: ViewUrl['params'], started: readonly (readonly string[])[]): boolean {
  return params.some(
    ([k, v]) => DECIDES_FRAMES.some((name) => same(name, k)) && !started.some(([name = '', value]) => same(name, k) && value === v),
  );
}

/**
 * Whether an address leaves it to the page which frames to show. One that names functions is taken literally, and
 * addresses of pprof's own page show what pprof shows.
 */
export function isBare(href: string, started: readonly (readonly string[])[]): boolean {
  if (/^\/?ui(\/|$)/.test(href)) return false;
  return !decidesFrames([...new URLSearchParams(href.split(/\?(.*)/s, 2)[1] ?? '')], started);
}

/** Value of `hide_kind` for no kinds, where a missing parameter has another default. */
export const NO_KINDS = 'none';

/** The address of a view. It always specifies the frames (`isBare`): all of them, unless parameters select others. */
export function hrefOf(url: ViewUrl): string {
  const params = decidesFrames(url.params, []) ? url.params : [...url.params, ['hide_kind', NO_KINDS]];
  return `${PATH_OF[url.view]}?${new URLSearchParams(params.map(([k = '', v = '']) => [k, v])).toString()}`;
}

/** The first value of a parameter, by either of its names; empty when absent. */
export function param(url: ViewUrl, name: string): string {
  return url.params.find(([k]) => same(k, name))?.[1] ?? '';
}

export type Patch = Readonly<Record<string, string>>;

/**
 * Sets parameters in place or at the end; an empty value removes one. The part of the flame graph in the
 * window has no meaning in another tree: it is dropped when `zoom` is set.
 */
export function patchUrl(url: ViewUrl, patch: Patch, view: ViewName = url.view): ViewUrl {
  let params = 'zoom' in patch && !('span' in patch) ? url.params.filter(([k]) => k !== 'span') : [...url.params];
  for (const [name, value] of Object.entries(patch)) {
    const at = params.findIndex(([k]) => same(k, name));
    const others = params.filter(([k], i) => i === at || !same(k, name));
    if (value === '') params = others.filter(([k]) => !same(k, name));
    else if (at < 0) params = [...others, [name, value]];
    else params = others.map(([k, v]) => (same(k, name) ? [k, value] : [k, v]));
  }
  return { view, params };
}

/** API path for a view, with `patch` applied last. */
export function apiPath(url: ViewUrl, kind: ApiKind = KIND_OF[url.view], patch: Patch = {}): string {
  const { params } = patchUrl(url, patch);
  const sent = params.filter(([key]) => isSent(key, kind));
  const query = new URLSearchParams(sent.map(([k, v]) => [k, v])).toString();
  return `/api/v1/${kind}${query === '' ? '' : `?${query}`}`;
}

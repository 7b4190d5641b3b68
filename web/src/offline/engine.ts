import type { ApiError, GrowthReport } from '../api/types';
import { type Answer } from './answer';
import type { PageData } from './data';
import { explain } from './explain';
import { flame } from './flame';
import { growth } from './growth/growth';
import { graph, peek } from './graph';
import { keySpec, makeKeys, type Keys } from './keys';
import { makePackages, type Packages } from './packages';
import { readProfile } from './profile';
import { joinsInlined, makeShape, type Shape } from './shape';
import { sizes } from './sizes';
import { source } from './source';
import { summary } from './summary';
import { tags } from './tags';
import { top } from './top';
import { types } from './types';
import { apiPath, parseUrl } from '../logic/url/view-url';
import { chargesCulprits, KINDS, parseView, QueryProblem, type Kind, type View } from './view';
import { makeWeights, type Weights } from './weights';

/**
 * Answers the API's questions without a server, from the profile in a report file. The answers are the
 * server's: `tests/it/offline.rs` writes both, `engine.test.ts` compares them.
 */

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface Engine {
  /** The answer to `/api/v1/…`. */
  readonly answer: (path: string) => Reply;
}

/** Trees kept, the latest used last; numbers kept for each; groups of frames; rules whose packages are kept. */
const [SHAPES, WEIGHTS, KEYS, RULES] = [6, 4, 12, 4];

/** What changes the tree. */
const SHAPE_FIELDS = ['hide', 'show', 'show_from', 'prune_from', 'noinlines', 'call_tree', 'hide_kind', 'culprit', 'kinds'];

/** What changes the numbers on it (`WeightSpec` of the server). */
const WEIGHT_FIELDS = ['sample_index', 'dump', 'base', 'diff_base', 'normalize', 'relative_percentages', 'mean', 'counts'].concat([
  'focus',
  'ignore',
  'package',
  'blame',
  'type',
  'tagfocus',
  'tagignore',
]);

/** What `map` has for `key`, else what is made; at most `most` are kept, the latest used. */
function kept<V>(map: Map<string, V>, key: string, most: number, make: () => V): V {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  for (const old of map.keys()) if (map.size > most) map.delete(old);
  return value;
}

export function createEngine(data: PageData): Engine {
  const profile = readProfile(data.profile, data.meta.value_types, data.meta.dumps, data.meta.builds ?? null);
  const keys = new Map<string, Keys>();
  const shapes = new Map<string, Shape>();
  const packages = new Map<string, Packages>();
  const packagesFor = ({ texts, rules }: View): Packages =>
    kept(packages, texts.get('kinds') ?? '', RULES, () => makePackages(profile, rules));
  const keysFor = (view: View): Keys => {
    const spec = keySpec(view);
    return kept(keys, JSON.stringify([spec, view.texts.get('kinds')]), KEYS, () => makeKeys(profile, packagesFor(view), spec));
  };
  const shapeFor = (view: View): Shape => {
    const changed = view.query.filter(([name]) => SHAPE_FIELDS.includes(name) && (name !== 'call_tree' || view.kind === 'graph'));
    const word = JSON.stringify([keySpec(view), changed, chargesCulprits(view), joinsInlined(view)]);
    return kept(shapes, word, SHAPES, () => makeShape(profile, packagesFor(view), keysFor(view), view));
  };
  const weightsOf = new WeakMap<Shape, Map<string, Weights>>();
  const answerFor = (view: View): Answer => {
    const shape = shapeFor(view);
    const known = weightsOf.get(shape) ?? new Map<string, Weights>();
    weightsOf.set(shape, known);
    // Means in flames are other ones.
    const word = JSON.stringify([view.kind === 'flame', view.query.filter(([name]) => WEIGHT_FIELDS.includes(name))]);
    const owners = packagesFor(view);
    const weights = kept(known, word, WEIGHTS, () => makeWeights(profile, owners, shape, view));
    return { profile, packages: owners, shape, view, weights };
  };
  return { answer: (path) => reply(data, answerFor, path) };
}

/** Where there are more. */
const WITH_SERVER = 'open the profile with heapview -http to see it';

function reply(data: PageData, answerFor: (view: View) => Answer, path: string): Reply {
  const [address = '', query = ''] = path.split(/\?(.*)/s, 2);
  const name = address.replace(/^\/api\/v1\//, '');
  if (name === 'meta') return { status: 200, body: data.meta };
  if (name === 'fields') return { status: 200, body: data.fields };
  const isExplained = name === 'explain';
  const kind = isExplained ? 'summary' : KINDS.find((k) => k === name);
  if (kind === undefined && (name === 'disasm' || (name === 'source' && data.sources === undefined)))
    return failed(501, `this report has no ${name === 'source' ? 'source lines' : 'machine code'}`, '', WITH_SERVER);
  if (kind === undefined && name !== 'source') return failed(501, `a report file has no report ${JSON.stringify(name)}`, '', WITH_SERVER);
  try {
    if (name === 'source' && data.sources !== undefined)
      return { status: 200, body: { kind: 'source', ...source(data.sources, data.fields, [...new URLSearchParams(query)]) } };
    if (kind === undefined) throw new QueryProblem('', `a report file has no report ${JSON.stringify(name)}`, 501);
    const asked = (of: Kind): Answer => answerFor(parseView(of, data.fields, [...new URLSearchParams(query)]));
    if (isExplained) {
      const answer = asked('summary');
      const headline = headlineOf(data, answer.view);
      return { status: 200, body: { markdown: explain(summary(answer), grown(asked), data.meta), headline } };
    }
    return { status: 200, body: report(kind, asked(kind)) };
  } catch (error) {
    if (error instanceof QueryProblem)
      return failed(error.status, error.message, error.field, 'all parameters are listed at /api/v1/fields', error.unknown);
    // The file cannot be asked again: what is wrong is said once.
    return failed(500, `the page cannot answer this: ${String(error)}`, '', 'this is a bug in heapview; please report it');
  }
}

/** The sentence that was written with the file for the same dumps and filters; empty for any others. */
function headlineOf(data: PageData, view: View): string {
  if (view.query.length === 0) return data.headline;
  const first = parseUrl(`/?${data.query}`);
  if (data.first_headline === undefined || first === undefined) return '';
  const query = apiPath(first, 'summary', { hide_kind: '', culprit: '' }).split('?', 2)[1] ?? '';
  const asked = parseView('summary', data.fields, [...new URLSearchParams(query)]);
  return JSON.stringify(asked.query) === JSON.stringify(view.query) ? data.first_headline : '';
}

/** What grows, where there are dumps enough to tell. */
function grown(asked: (of: Kind) => Answer): GrowthReport | undefined {
  try {
    return growth(asked('growth'));
  } catch (error) {
    if (error instanceof QueryProblem && error.field === 'dump') return undefined;
    throw error;
  }
}

function report(kind: Kind, answer: Answer): unknown {
  switch (kind) {
    case 'summary':
      return { kind: 'summary', ...summary(answer) };
    case 'top':
      return { kind: 'top', ...top(answer) };
    case 'tree':
    case 'peek':
      return { kind: 'peek', ...peek(answer) };
    case 'flame':
      return { kind: 'flame', ...flame(answer) };
    case 'graph':
      return { kind: 'graph', ...graph(answer) };
    case 'tags':
      return { kind: 'tags', ...tags(answer) };
    case 'sizes':
      return { kind: 'sizes', ...sizes(answer) };
    case 'types':
      return { kind: 'types', ...types(answer) };
    case 'growth':
      return { kind: 'growth', ...growth(answer) };
  }
}

function failed(status: number, error: string, field: string, hint: string, unknown: readonly string[] = []): Reply {
  const body: ApiError = { error, field, hint, ...(unknown.length === 0 ? {} : { unknown }) };
  return { status, body };
}

import type { ApiError, FieldDoc, Meta } from '../api/types';
import { type Answer } from './answer';
import { flame } from './flame';
import { graph, peek } from './graph';
import { keySpec, makeKeys, type Keys } from './keys';
import { readProfile, type PageProfile, type Profile } from './profile';
import { makeShape, type Shape } from './shape';
import { sizes } from './sizes';
import { summary } from './summary';
import { tags } from './tags';
import { top } from './top';
import { KINDS, parseView, QueryProblem, type Kind, type View } from './view';
import { makeWeights } from './weights';

/**
 * Answers the API's questions without a server, from the profile in a report file. The answers are the
 * server's: `tests/it/offline.rs` writes both, `engine.test.ts` compares them.
 */

/** What `heapview export` writes into the file. */
export interface PageData {
  readonly meta: Meta;
  readonly fields: readonly FieldDoc[];
  readonly profile: PageProfile;
  /** Query of the first view's address. */
  readonly query: string;
}

/** Enough to tell data of this program from anything else. */
export function isPageData(data: unknown): data is PageData {
  return typeof data === 'object' && data !== null && ['meta', 'fields', 'profile', 'query'].every((key) => key in data);
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface Engine {
  /** The answer to `/api/v1/…`. */
  readonly answer: (path: string) => Reply;
}

/** Trees kept, the latest used last. */
const SHAPES = 6;

/** What changes the tree. */
const SHAPE_FIELDS = ['hide', 'show', 'show_from', 'prune_from', 'noinlines', 'call_tree'];

export function createEngine(data: PageData): Engine {
  const profile = readProfile(data.profile, data.meta.value_types, data.meta.dumps);
  const keys = new Map<string, Keys>();
  const shapes = new Map<string, Shape>();
  const keysFor = (view: View): Keys => {
    const spec = keySpec(view);
    const word = JSON.stringify(spec);
    const made = keys.get(word) ?? makeKeys(profile, spec);
    keys.set(word, made);
    return made;
  };
  const shapeFor = (view: View): Shape => {
    const changed = view.query.filter(([name]) => SHAPE_FIELDS.includes(name) && (name !== 'call_tree' || view.kind === 'graph'));
    const word = JSON.stringify([keySpec(view), changed]);
    const made = shapes.get(word) ?? makeShape(profile, keysFor(view), view);
    shapes.delete(word);
    shapes.set(word, made);
    for (const old of shapes.keys()) if (shapes.size > SHAPES) shapes.delete(old);
    return made;
  };
  return { answer: (path) => reply(data, profile, shapeFor, path) };
}

/** How to make one that has them. */
const WITH_SOURCES = 'to have them, make it anew with heapview export --with-sources';

function reply(data: PageData, profile: Profile, shapeFor: (view: View) => Shape, path: string): Reply {
  const [address = '', query = ''] = path.split(/\?(.*)/s, 2);
  const name = address.replace(/^\/api\/v1\//, '');
  if (name === 'meta') return { status: 200, body: data.meta };
  if (name === 'fields') return { status: 200, body: data.fields };
  const kind = KINDS.find((k) => k === name);
  if (kind === undefined && (name === 'source' || name === 'disasm'))
    return failed(501, `this file holds no ${name === 'source' ? 'sources' : 'code'}`, '', WITH_SOURCES);
  if (kind === undefined)
    return failed(501, `a report file has no report ${JSON.stringify(name)}`, '', 'heapview -http with the profile has it');
  try {
    const view = parseView(kind, data.fields, [...new URLSearchParams(query)]);
    const shape = shapeFor(view);
    const weights = makeWeights(profile, shape, view);
    return { status: 200, body: report(kind, { profile, shape, weights, view }) };
  } catch (error) {
    if (error instanceof QueryProblem)
      return failed(error.status, error.message, error.field, 'all parameters are listed at /api/v1/fields');
    // The file cannot be asked again: what is wrong is said once.
    return failed(500, `the page cannot answer this: ${String(error)}`, '', 'this is a defect of heapview; please report it');
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
  }
}

function failed(status: number, error: string, field: string, hint: string): Reply {
  const body: ApiError = { error, field, hint };
  return { status, body };
}

import type { FieldDoc } from '../api/types';
import { compileRegex } from './regex';
import {
  KINDS as CODE_KINDS,
  NO_KINDS,
  readKinds,
  readRules,
  rulesText,
  type Kind as CodeKind,
  type KindRule,
} from '../logic/ownership/kind-rules';
import { readOrder, SORT_KEYS } from '../logic/table/order';
import { endsAtCulprits, granularityFor, growthBy } from './growth/by';
import { openedText, readOpened, readWindow } from './table';
import { tagFilter, type TagFilter } from './tag-filter';
import { memory } from './units';
import { nearest, plainNumber, quoted } from './words';

/** Parameters of an API path to a view, by the server's rules (`src/query/`). */

export const KINDS = ['summary', 'top', 'tree', 'peek', 'flame', 'graph', 'tags', 'sizes', 'types', 'growth'] as const;
export type Kind = (typeof KINDS)[number];

/** An expression with what was typed. */
export interface Pattern {
  readonly source: string;
  readonly test: (text: string) => boolean;
}

const GRANULARITIES = ['functions', 'filefunctions', 'files', 'lines', 'addresses', 'packages', 'modules', 'libraries'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** What is wrong with a question. */
export class QueryProblem extends Error {
  readonly field: string;
  readonly status: number;
  /** Parameters that no report has. */
  readonly unknown: readonly string[];
  constructor(field: string, message: string, status = 400, unknown: readonly string[] = []) {
    super(message);
    this.field = field;
    this.status = status;
    this.unknown = unknown;
  }
}

/** A question, read. */
export interface View {
  readonly kind: Kind;
  /** Canonical pairs without defaults. */
  readonly query: readonly (readonly [string, string])[];
  readonly patterns: ReadonlyMap<string, Pattern>;
  readonly tags: ReadonlyMap<string, TagFilter>;
  readonly dumps: ReadonlyMap<string, readonly number[]>;
  readonly flags: ReadonlySet<string>;
  readonly numbers: ReadonlyMap<string, number>;
  readonly texts: ReadonlyMap<string, string>;
  /** Kinds that are folded away. */
  readonly hidden: readonly CodeKind[];
  readonly rules: readonly KindRule[];
}

const DUMPS: ReadonlySet<string> = new Set(['dump', 'base', 'diff_base']);
const TAGS: ReadonlySet<string> = new Set(['tagfocus', 'tagignore']);
/** Where files are on the machine of the server. */
const LOCAL: readonly string[] = ['source_path', 'trim_path'];
/** What needs the profile itself. */
const NOT_HERE: ReadonlySet<string> = new Set(['tagroot', 'tagleaf', 'disasm']);

export function parseView(kind: Kind, fields: readonly FieldDoc[], params: readonly (readonly [string, string])[]): View {
  const local = params.map(([name]) => name).find((name) => LOCAL.includes(name));
  if (local !== undefined) throw new QueryProblem(local, `${local} can only be given on the command line, when heapview starts`);
  const problems: QueryProblem[] = [];
  const given = new Map<string, string>();
  const read = { patterns: new Map<string, Pattern>(), tags: new Map<string, TagFilter>(), dumps: new Map<string, readonly number[]>() };
  const canonical = new Map<string, string>();
  for (const [name, value] of params) {
    const field = fields.find((f) => f.name === name || (f.alias !== '' && f.alias === name));
    if (field === undefined) {
      const near = nearest(name, [...fields.map((f) => f.name), ...LOCAL]);
      const message = `unknown option ${quoted(name)}${near === undefined ? '' : `; did you mean ${quoted(near)}?`}`;
      problems.push(new QueryProblem(name, message, 400, [name]));
      continue;
    }
    if (value === '' || given.has(field.name)) continue;
    given.set(field.name, value);
    try {
      const word = readValue(field, value, read);
      if (word !== undefined) canonical.set(field.name, word);
    } catch (problem) {
      if (!(problem instanceof QueryProblem)) throw problem;
      problems.push(problem);
    }
  }
  const [first] = problems;
  if (first !== undefined) {
    const unknown = problems.flatMap((p) => p.unknown);
    throw new QueryProblem(first.field, problems.map((p) => p.message).join('; '), 400, unknown);
  }
  const query = fields.flatMap((f) => {
    const word = canonical.get(f.name);
    return word === undefined || isDefault(f, word) ? [] : [[f.name, word] as const];
  });
  const flags = new Set(fields.filter((f) => f.kind === 'bool' && (canonical.get(f.name) ?? f.default) === 't').map((f) => f.name));
  const ofKind = (...kinds: readonly string[]): (readonly [string, string])[] =>
    [...canonical].filter(([name]) => kinds.includes(fields.find((f) => f.name === name)?.kind ?? ''));
  const numbers = new Map(ofKind('int', 'float').map(([name]) => [name, Number(given.get(name))]));
  const texts = new Map(ofKind('text', 'choice'));
  const [hidden, rules] = [readKinds(texts.get('hide_kind') ?? ''), readRules(texts.get('kinds') ?? '')];
  return { kind, query, ...read, flags, numbers, texts, hidden: list(hidden), rules: list(rules) };
}

function list<T>(read: readonly T[] | string): readonly T[] {
  return typeof read === 'string' ? [] : read;
}

/** Defaults that nobody says; granularities are told even where they are the default. */
function isDefault(field: FieldDoc, word: string): boolean {
  switch (field.name) {
    case 'granularity':
    case 'by':
    case 'nodefraction':
    case 'edgefraction':
      return false;
    default:
      return word === field.default;
  }
}

interface Read {
  readonly patterns: Map<string, Pattern>;
  readonly tags: Map<string, TagFilter>;
  readonly dumps: Map<string, readonly number[]>;
}

/** The canonical word for a value; undefined when it says nothing. */
function readValue(field: FieldDoc, value: string, read: Read): string | undefined {
  const bad = (expected: string): QueryProblem => new QueryProblem(field.name, `${field.name}=${quoted(value)} is not ${expected}`);
  const expression = (source: string): Pattern => {
    const compiled = compileRegex(source);
    if (!compiled.ok) throw new QueryProblem(field.name, `${field.name}: the expression ${quoted(value)} ${compiled.problem}`);
    return { source, test: compiled.test };
  };
  if (NOT_HERE.has(field.name))
    throw new QueryProblem(field.name, `${field.name} is not answered in a report file; heapview -http with the profile does`);
  if (DUMPS.has(field.name)) {
    const numbers = value.split(',').map((n) => n.trim());
    if (!numbers.every((n) => /^\+?\d+$/.test(n))) throw bad('a dump’s number, or several with commas'.replace('’', "'"));
    const dumps = [...new Set(numbers.map(Number))].sort((a, b) => a - b);
    read.dumps.set(field.name, dumps);
    return dumps.join(',');
  }
  if (TAGS.has(field.name)) {
    read.tags.set(field.name, tagFilter(value, expression));
    return value;
  }
  switch (field.name) {
    case 'order':
      if (readOrder(value) === undefined) throw bad(`one of ${SORT_KEYS.join(', ')}`);
      return value;
    case 'hide_kind': {
      const kinds = readKinds(value);
      if (typeof kinds === 'string')
        throw new QueryProblem(field.name, `hide_kind=${quoted(kinds)} is not one of ${CODE_KINDS.join(', ')}, or none alone`);
      return value.trim() === NO_KINDS ? NO_KINDS : kinds.join(',');
    }
    case 'kinds': {
      const rules = readRules(value);
      if (typeof rules === 'string') throw bad(rules);
      return rulesText(rules);
    }
    case 'limit': {
      const limit = memory(value);
      if (typeof limit === 'string') throw bad(`a size: ${limit}`);
      return limit === 0 ? undefined : plainNumber(limit);
    }
    case 'rows': {
      const rows = readWindow(value);
      if (rows === undefined) throw bad('two numbers such as 200-50');
      return `${rows.first}-${rows.count}`;
    }
    case 'open': {
      const opened = readOpened(value);
      if (opened === undefined) throw bad('auto, none, or ids of at most eight digits with points between them');
      return openedText(opened);
    }
  }
  switch (field.kind) {
    case 'bool': {
      const truth = /^(?:(true|t|yes|y|1)|false|f|no|n|0)$/i.exec(value);
      if (truth === null) throw bad('true or false');
      return truth[1] === undefined ? 'f' : 't';
    }
    case 'regex':
      read.patterns.set(field.name, expression(value));
      return value;
    case 'int':
      if (!/^[+-]?\d+$/.test(value)) throw bad('a whole number');
      return String(Number(value) + 0);
    case 'float': {
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) || !Number.isFinite(Number(value))) throw bad('a number');
      if (field.name === 'divide_by' && Number(value) === 0) throw bad('a number other than 0');
      return plainNumber(Number(value));
    }
    case 'choice':
      if (!field.choices.includes(value)) throw bad(field.name === 'sort' ? 'flat or cum' : `one of ${field.choices.join(', ')}`);
      return value;
    default:
      return value;
  }
}

/** The granularity in force. */
export function granularityOf(view: View): Granularity {
  if (view.kind === 'growth') return granularityFor(growthBy(view));
  const asked = GRANULARITIES.find((g) => g === view.texts.get('granularity'));
  return asked ?? (view.kind === 'flame' ? 'filefunctions' : 'functions');
}

/** Whether stacks end at their culprits. */
export function chargesCulprits(view: View): boolean {
  if (view.kind === 'growth') return view.flags.has('culprit') || endsAtCulprits(growthBy(view));
  return view.flags.has('culprit') || ['summary', 'sizes', 'types'].includes(view.kind);
}

/** Whether closures are called what they stand in. */
export function foldsClosures(view: View): boolean {
  return chargesCulprits(view) || view.hidden.includes('plumbing');
}

/** Whether what is answered depends on whose code is what. */
export function usesKinds(view: View): boolean {
  const isFiltered = view.patterns.has('package') || view.patterns.has('blame');
  return chargesCulprits(view) || view.hidden.length > 0 || isOfOwners(granularityOf(view)) || isFiltered;
}

/** Whether rows stand for owners of code. */
export function isOfOwners(granularity: Granularity): boolean {
  return granularity === 'packages' || granularity === 'modules' || granularity === 'libraries';
}

/** Whether labels of this key are shown. */
export function showsLabel(view: View, key: string): boolean {
  return (view.patterns.get('tagshow')?.test(key) ?? true) && !(view.patterns.get('taghide')?.test(key) ?? false);
}

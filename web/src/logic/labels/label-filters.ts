import { exactly } from '../names/pattern';

/**
 * Filters on labels, as the page writes them and finds them again: values of one key are
 * alternatives; several keys must all hold (tagfocus) or one of them (tagignore). Written as
 * pprof reads it as far as pprof can express it, else joined by ` && ` and ` || `.
 * Anything else that the user wrote is kept as it is.
 */

/** `and` joins conditions of tagfocus, `or` those of tagignore. */
export type Join = 'and' | 'or';

/** Some values of one key. */
export interface Facet {
  readonly kind: 'facet';
  readonly key: string;
  readonly texts: readonly string[];
  /** Numbers, as `17b:24b`. */
  readonly ranges: readonly string[];
}

/** A filter in a form that the page does not write itself. */
export interface Foreign {
  readonly kind: 'foreign';
  readonly text: string;
}

export type Clause = Facet | Foreign;

/** One value of a key: added by a click, removed by a chip. */
export interface FacetValue {
  readonly key: string;
  readonly text?: string;
  readonly range?: string;
}

const BETWEEN: Readonly<Record<Join, string>> = { and: ' && ', or: ' || ' };
const RANGE = /^(?:[+-]?\d+[a-z]*(?::(?:[+-]?\d+[a-z]*)?)?|:[+-]?\d+[a-z]*)$/i;
/** Metacharacters of expressions: a name contains them escaped. */
const SPECIAL = /[\\.+*?()|[\]{}^$]/;

function escaped(name: string, more: string): string {
  const inside = exactly(name).slice(1, -1);
  // Commas separate expressions, and so do && and || with blanks around them.
  const plain = inside.replaceAll(',', '\\x2c').replaceAll(' && ', '\\x20&& ').replaceAll(' \\|\\| ', '\\x20\\|\\| ');
  return [...more].reduce((text, c) => text.replaceAll(c, `\\x${c.charCodeAt(0).toString(16)}`), plain);
}

/** The name that an expression matches exactly; undefined for other expressions. */
function unescaped(text: string): string | undefined {
  let name = '';
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c !== '\\') {
      if (SPECIAL.test(c)) return undefined;
      name += c;
      continue;
    }
    const hex = /^x([0-9a-f]{2})/.exec(text.slice(i + 1))?.[1];
    if (hex !== undefined) {
      name += String.fromCharCode(parseInt(hex, 16));
      i += 3;
    } else if (SPECIAL.test(text.charAt(i + 1))) name += text.charAt(++i);
    else return undefined;
  }
  return name;
}

/** `key=^a$,^b$`: any of the values. */
function keyed({ key, texts, ranges }: Facet): string {
  return `${key}=${[...texts.map((t) => `^${escaped(t, '')}$`), ...ranges].join(',')}`;
}

/** `^key:(a|b)$`: the same of texts only, without a key in front. */
function keyless({ key, texts }: Facet): string {
  const values = texts.map((t) => escaped(t, '='));
  return `^${escaped(key, '=:')}:${values.length === 1 ? (values[0] ?? '') : `(${values.join('|')})`}$`;
}

export function printFacets(clauses: readonly Clause[], join: Join): string {
  const facets = clauses.filter((c) => c.kind === 'facet').filter((f) => f.texts.length + f.ranges.length > 0);
  const foreign = clauses.filter((c) => c.kind === 'foreign').map((c) => c.text);
  const one = (facet: Facet): string => (facet.key.includes('=') && facet.ranges.length === 0 ? keyless(facet) : keyed(facet));
  if (foreign.length === 0 && facets.length > 1 && facets.every((f) => f.ranges.length === 0))
    return facets.map(keyless).join(join === 'and' ? ',' : '|');
  const other: Join = join === 'and' ? 'or' : 'and';
  const written = facets.map(one).join(BETWEEN[join]);
  // && binds tighter than ||: an added part applies to every alternative.
  const spread = join === 'and' ? foreign.findIndex((text) => text.includes(BETWEEN[other])) : -1;
  if (spread < 0) return [...foreign, ...(written === '' ? [] : [written])].join(BETWEEN[join]);
  const rest = [...foreign.filter((_, i) => i !== spread), ...(written === '' ? [] : [written])];
  return (foreign[spread] ?? '')
    .split(BETWEEN.or)
    .map((alternative) => [alternative, ...rest].join(BETWEEN.and))
    .join(BETWEEN.or);
}

function parseKeyless(part: string): Facet | undefined {
  const inside = /^\^(.+?[^\\]|[^\\]):(.+)\$$/s.exec(part);
  const key = unescaped(inside?.[1] ?? '\\');
  const list = inside?.[2] ?? '';
  const grouped = /^\((.*)\)$/s.exec(list)?.[1];
  const texts = grouped === undefined ? [unescaped(list)] : grouped.split(/(?<!\\)\|/).map(unescaped);
  if (key === undefined || !texts.every((t) => t !== undefined)) return undefined;
  return { kind: 'facet', key, texts, ranges: [] };
}

function parseKeyed(part: string): Facet | undefined {
  const at = part.indexOf('=');
  if (at < 1) return undefined;
  const [texts, ranges]: [string[], string[]] = [[], []];
  for (const value of part.slice(at + 1).split(',')) {
    const name = value.startsWith('^') && value.endsWith('$') ? unescaped(value.slice(1, -1)) : undefined;
    if (name !== undefined) texts.push(name);
    else if (RANGE.test(value)) ranges.push(value);
    else return undefined;
  }
  return { kind: 'facet', key: part.slice(0, at), texts, ranges };
}

/** Recognizes the page's own filters; everything else stays as written. */
export function parseFacets(text: string, join: Join): readonly Clause[] {
  if (text === '') return [];
  const other = BETWEEN[join === 'and' ? 'or' : 'and'];
  if (join === 'and' && text.includes(other)) return [{ kind: 'foreign', text }];
  const clauses: Clause[] = text.split(BETWEEN[join]).flatMap((piece): readonly Clause[] => {
    const facet = piece.includes(other) ? undefined : parseKeyed(piece);
    if (facet !== undefined) return [facet];
    const parts = join === 'and' ? piece.split(',') : piece.split(/\|(?=\^)/);
    const facets = parts.map(parseKeyless);
    return facets.every((f) => f !== undefined) ? facets : [{ kind: 'foreign', text: piece }];
  });
  return clauses;
}

function has(facet: Facet, { text, range }: FacetValue): boolean {
  return (text !== undefined && facet.texts.includes(text)) || (range !== undefined && facet.ranges.includes(range));
}

/** Whether a filter names a value. */
export function isChosen(filter: string, join: Join, value: FacetValue): boolean {
  return parseFacets(filter, join).some((c) => c.kind === 'facet' && c.key === value.key && has(c, value));
}

/** Adds a value to a filter, or removes it if the filter has it. */
export function toggleFacet(filter: string, join: Join, value: FacetValue): string {
  const clauses = parseFacets(filter, join);
  const { key, text, range } = value;
  const own = clauses.find((c): c is Facet => c.kind === 'facet' && c.key === key);
  const without = (list: readonly string[], one: string | undefined): readonly string[] => list.filter((v) => v !== one);
  const and = (list: readonly string[], one: string | undefined): readonly string[] => (one === undefined ? list : [...list, one]);
  if (own === undefined) return printFacets([...clauses, { kind: 'facet', key, texts: and([], text), ranges: and([], range) }], join);
  const next: Facet = has(own, value)
    ? { ...own, texts: without(own.texts, text), ranges: without(own.ranges, range) }
    : { ...own, texts: and(own.texts, text), ranges: and(own.ranges, range) };
  return printFacets(
    clauses.map((c) => (c === own ? next : c)),
    join,
  );
}

/** Text of a chip, and the filter after its removal. */
export interface FacetChip {
  /** Empty for text that the user wrote. */
  readonly key: string;
  readonly label: string;
  readonly without: string;
}

export function facetChips(filter: string, join: Join): readonly FacetChip[] {
  const clauses = parseFacets(filter, join);
  return clauses.flatMap((clause): readonly FacetChip[] => {
    if (clause.kind === 'foreign') {
      const rest = clauses.filter((c) => c !== clause);
      return [{ key: '', label: clause.text, without: printFacets(rest, join) }];
    }
    const { key, texts, ranges } = clause;
    return [
      ...texts.map((text) => ({ key, label: text, without: toggleFacet(filter, join, { key, text }) })),
      ...ranges.map((range) => ({ key, label: rangeLabel(range), without: toggleFacet(filter, join, { key, range }) })),
    ];
  });
}

const SYMBOLS: Readonly<Record<string, string>> = { b: 'B', kb: 'KiB', mb: 'MiB', gb: 'GiB', tb: 'TiB' };

/** `17b:24b` → `17–24 B`, `1kb:` → `≥ 1 KiB`. */
export function rangeLabel(range: string): string {
  const parts = /^([+-]?\d+)?([a-z]*)(:)?([+-]?\d+)?([a-z]*)$/i.exec(range);
  if (parts === null) return range;
  const [, low = '', lowUnit = '', colon = '', high = '', highUnit = ''] = parts;
  const number = (digits: string, unit: string): string =>
    `${Number(digits).toLocaleString('en-US')} ${SYMBOLS[unit.toLowerCase()] ?? unit}`.trim();
  if (colon === '' || (low === high && lowUnit === highUnit)) return number(low, lowUnit);
  if (high === '') return `≥ ${number(low, lowUnit)}`;
  if (low === '') return `≤ ${number(high, highUnit)}`;
  return lowUnit === highUnit ? `${number(low, '')}–${number(high, highUnit)}` : `${number(low, lowUnit)} – ${number(high, highUnit)}`;
}

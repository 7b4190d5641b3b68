import type { GraphReport, GraphTag, PeekEntry, PeekLink, PeekReport } from '../api/types';
import type { Answer } from './answer';
import { changeOf, keysBeside, spreadOf } from './beside';
import { edgeShown, edgeWeight, type Edge } from './edges';
import { compareTexts } from './order';
import { column, nameOf, sumsOf } from './sums';
import { rowOf } from './top';
import { namesThatMatch, trim } from './trim';
import { QueryProblem } from './view';

/** The call graph (`analyze/reports/graph.rs`). */
export function graph(answer: Answer): GraphReport {
  const { shape, weights } = answer;
  const { header, sums, keys, edges, nodelets } = trim(answer, true);
  const name = (key: number): string => nameOf(shape, key);
  edges.sort((a, b) => edgeWeight(b) - edgeWeight(a) || compareTexts(name(a.from), name(b.from)) || compareTexts(name(a.to), name(b.to)));
  const number = new Map(keys.map((key, i) => [key, i]));
  const node = (key: number): number => number.get(key) ?? 0;
  const calls = new Set(edges.map((e) => e.from));
  const tags: GraphTag[] = [];
  for (const key of keys) {
    const before = tags.length;
    const at = nodelets.of(key, !calls.has(key));
    tags.push(...at.map((tag) => ({ ...tag, node: node(key), under: typeof tag.under === 'number' ? before + tag.under : null })));
  }
  const base = (of: Float64Array): number[] => (weights.hasBase ? column(of, keys) : []);
  return {
    header,
    row: keys.map((key) => rowOf(answer, key)),
    flat: column(sums.flat.value, keys),
    cum: column(sums.cum.value, keys),
    flat_base: base(sums.flat.base),
    cum_base: base(sums.cum.base),
    edges: {
      from: edges.map((e) => node(e.from)),
      to: edges.map((e) => node(e.to)),
      value: edges.map((e) => edgeShown(e)[0]),
      base: weights.hasBase ? edges.map((e) => edgeShown(e)[1]) : [],
      residual: edges.map((e) => (e.residual ? 1 : 0)),
      inlined: edges.map((e) => (e.inlined ? 1 : 0)),
    },
    tags,
  };
}

function grouped(edges: readonly Edge[], by: (edge: Edge) => number): ReadonlyMap<number, readonly Edge[]> {
  const groups = new Map<number, Edge[]>();
  for (const edge of edges) {
    const group = groups.get(by(edge));
    if (group === undefined) groups.set(by(edge), [edge]);
    else group.push(edge);
  }
  return groups;
}

/** Keys that are called by themselves, directly or through others. */
function recursiveKeys({ shape, weights }: Answer): ReadonlySet<number> {
  const found = new Set<number>();
  shape.key.forEach((key, node) => {
    if (node > 0 && shape.outermost[node] === 0 && weights.live[node] === 1) found.add(key);
  });
  return found;
}

/** Most functions told with all their callers and callees, as the server has it. */
const ENTRIES = 500;

/** Functions between their callers and callees (`analyze/reports/peek.rs`). */
export function peek(answer: Answer): PeekReport {
  const { shape, view, weights } = answer;
  const { header, sums, keys, edges } = trim(answer, false);
  const beside = weights.companion === undefined ? undefined : sumsOf(shape, weights.companion);
  const besides = keysBeside(answer);
  const recursive = recursiveKeys(answer);
  const pattern = view.patterns.get('peek');
  const matched = pattern === undefined ? undefined : namesThatMatch(shape, pattern);
  const links = (of: readonly Edge[], other: (edge: Edge) => number): PeekLink[] =>
    of
      .toSorted((a, b) => edgeWeight(b) - edgeWeight(a) || compareTexts(nameOf(shape, other(a)), nameOf(shape, other(b))))
      .map((edge) => {
        const [value, base] = edgeShown(edge);
        return {
          row: rowOf(answer, other(edge)),
          value,
          base,
          companion: edge.companion,
          spread: besides.spread(() => spreadOf(edge.beside), null),
          gross: besides.gross(() => changeOf(edge.beside), null),
          inlined: edge.inlined,
        };
      });
  const callers = grouped(edges, (edge) => edge.to);
  const callees = grouped(edges, (edge) => edge.from);
  const told = keys.filter((key) => matched === undefined || matched[key] === 1);
  if (pattern !== undefined && told.length === 0)
    throw new QueryProblem('peek', `no function matches ${JSON.stringify(pattern.source)}; \`top\` lists the functions`, 404);
  const entry = told.slice(0, ENTRIES).map((key): PeekEntry => ({
    row: rowOf(answer, key),
    flat: sums.flat.value[key] ?? 0,
    cum: sums.cum.value[key] ?? 0,
    flat_base: sums.flat.base[key] ?? 0,
    cum_base: sums.cum.base[key] ?? 0,
    flat_companion: beside?.flat.value[key] ?? 0,
    cum_companion: beside?.cum.value[key] ?? 0,
    flat_spread: besides.spread(() => spreadOf(besides.flat(key)), null),
    cum_spread: besides.spread(() => spreadOf(besides.cum(key)), null),
    flat_gross: besides.gross(() => changeOf(besides.flat(key)), null),
    cum_gross: besides.gross(() => changeOf(besides.cum(key)), null),
    recursive: recursive.has(key),
    callers: links(callers.get(key) ?? [], (e) => e.from),
    callees: links(callees.get(key) ?? [], (e) => e.to),
  }));
  if (told.length > ENTRIES) {
    header.n_shown = ENTRIES;
    const said = `showing the first ${ENTRIES} of ${told.length} functions; use a narrower regexp for the others`;
    header.warnings = [...header.warnings, said];
  }
  return { header, entry };
}

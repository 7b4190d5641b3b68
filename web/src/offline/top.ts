import { numberAt as get } from '../logic/number-at';
import type { Row, TopReport } from '../api/types';
import { headerOf, type Answer } from './answer';
import { changeOf, keysBeside, spreadOf } from './beside';
import { grossOf } from './gross';
import { NO_ROW } from './keys';
import { foundFirst, orderKeys, positionOf } from './row-order';
import { chooseUnit, column, flatOf, largeKeys, makeSums, shownSums, sortKeys, sumsOf } from './sums';
import { readOrder } from '../logic/table/order';
import { readWindow } from './table';
import { heldType, typesByKey } from './types';
import { nodeCount } from './cut';

/** Rows by weight (`analyze/reports/top.rs`). */
export function top(answer: Answer): TopReport {
  const { shape, view, weights } = answer;
  const sums = makeSums(answer);
  const header = headerOf(answer);
  const { keys: ranked } = largeKeys(sums, view, header);
  sortKeys(ranked, sums, shape, view.texts.get('sort') === 'cum');
  const most = nodeCount(view);
  if (most > 0) ranked.splice(most);
  const shown = shownSums(sums);
  header.n_shown = ranked.length;
  header.shown = flatOf(shown, ranked);
  chooseUnit(header, shown, ranked);

  const companion = weights.companion === undefined ? undefined : sumsOf(shape, weights.companion);
  const order = readOrder(view.texts.get('order') ?? '');
  const ordered = order === undefined ? ranked : orderKeys(answer, ranked, shown, companion, grossOf(shape, weights), order);
  const find = view.patterns.get('find');
  const [nFound, all] = find === undefined ? [0, ordered] : foundFirst(answer, ordered, find);
  const seek = view.texts.get('seek') ?? '';
  const sought = seek === '' ? -1 : positionOf(answer, all, seek);
  const window = readWindow(view.texts.get('rows') ?? '') ?? { first: 0, count: all.length };
  // As many rows before it as after it.
  const wanted = sought < 0 ? window.first : Math.max(0, sought - Math.floor(window.count / 2));
  const first = Math.min(wanted, all.length);
  const keys = all.slice(first, first + window.count);
  const base = (of: Float64Array): number[] => (weights.hasBase ? column(of, keys) : []);
  const inlining = inliningOf(answer);
  const beside = keysBeside(answer);
  const types = view.flags.has('with_type') ? typesByKey(answer) : [];
  const held = keys.flatMap((key) => {
    const of = types[key];
    return of === undefined ? [] : [heldType(answer.profile, of)];
  });
  return {
    header,
    row: keys.map((key) => rowOf(answer, key)),
    flat: column(shown.flat.value, keys),
    cum: column(shown.cum.value, keys),
    flat_base: base(shown.flat.base),
    cum_base: base(shown.cum.base),
    inlining: keys.map((key) => (['none', 'none', 'inline', 'partial'] as const)[get(inlining, key)] ?? 'none'),
    flat_companion: companion === undefined ? [] : column(companion.flat.value, keys),
    cum_companion: companion === undefined ? [] : column(companion.cum.value, keys),
    flat_spread: beside.spread(() => keys.map((key) => spreadOf(beside.flat(key))), []),
    cum_spread: beside.spread(() => keys.map((key) => spreadOf(beside.cum(key))), []),
    flat_gross: beside.gross(() => keys.map((key) => changeOf(beside.flat(key))), []),
    cum_gross: beside.gross(() => keys.map((key) => changeOf(beside.cum(key))), []),
    type: held,
    offset: first,
    n_found: nFound,
    sum_before: flatOf(shown, all.slice(0, first)),
    sought: sought < 0 ? null : sought,
  };
}

export function rowOf({ shape }: Answer, key: number): Row {
  return shape.rows[key] ?? NO_ROW;
}

/** Key → 1 when it was called, plus 2 when it was inlined. What has no caller was called. */
function inliningOf({ shape, weights }: Answer): Uint8Array {
  const seen = new Uint8Array(shape.nKeys);
  for (let node = 1; node < shape.parent.length; node++) {
    if (get(shape.parent, node) === 0 || get(weights.live, node) === 0) continue;
    const key = get(shape.key, node);
    seen[key] = get(seen, key) | (get(shape.inlined, node) === 1 ? 2 : 1);
  }
  return seen;
}

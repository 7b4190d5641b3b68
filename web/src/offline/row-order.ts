import { numberAt as get } from '../logic/number-at';
import type { Answer } from './answer';
import type { GrossOf } from './gross';
import { compareTexts, net } from './order';
import { functionOf, text } from './profile';
import { nameOf, type Sums } from './sums';
import { typesByKey, typeWord } from './types';
import type { Order } from '../logic/table/order';
import { granularityOf, type Pattern } from './view';

/** Orders of rows that people choose: by a column, and what a search finds first (`analyze/reports/order.rs`). */

/** Numbers largest first without their sign, text from A with nothing last, equal ones by cum, then as they came. */
export function orderKeys(
  answer: Answer,
  keys: readonly number[],
  sums: Sums,
  companion: Sums | undefined,
  gross: GrossOf | undefined,
  order: Order,
): number[] {
  const { profile, shape } = answer;
  const types = order.key === 'type' ? typesByKey(answer) : [];
  const size = Math.abs;
  const number = (key: number): number => {
    switch (order.key) {
      case 'flat':
        return size(get(sums.flat.value, key));
      case 'cum':
        return size(get(sums.cum.value, key));
      case 'base':
        return size(get(sums.flat.base, key));
      case 'cumbase':
        return size(get(sums.cum.base, key));
      case 'delta':
        return size(net(sums.flat, key));
      case 'cumdelta':
        return size(net(sums.cum, key));
      case 'objects':
        return size(companion?.cum.value[key] ?? 0);
      case 'ownobjects':
        return size(companion?.flat.value[key] ?? 0);
      case 'mean':
        return mean(get(sums.cum.value, key), companion?.cum.value[key] ?? 0);
      case 'grown':
        return gross?.cumOfKey.grown[key] ?? 0;
      case 'shrunk':
        return size(gross?.cumOfKey.shrunk[key] ?? 0);
      case 'owngrown':
        return gross?.flatOfKey.grown[key] ?? 0;
      case 'ownshrunk':
        return size(gross?.flatOfKey.shrunk[key] ?? 0);
      case 'name':
      case 'place':
      case 'package':
      case 'type':
        return 0;
    }
  };
  const byDelta = order.key === 'delta' || order.key === 'cumdelta';
  const cum = (key: number): number => size(byDelta ? net(sums.cum, key) : get(sums.cum.value, key));
  const words = (a: number, b: number): number => {
    const [row, than] = [shape.rows[a], shape.rows[b]];
    if (row === undefined || than === undefined) return 0;
    if (order.key === 'name') return emptyLast(row.name, than.name);
    if (order.key === 'package') return emptyLast(row.package, than.package);
    if (order.key === 'type') return emptyLast(typeWord(profile, types[a]), typeWord(profile, types[b]));
    return order.key === 'place' ? emptyLast(row.file, than.file) || row.line - than.line : 0;
  };
  const ranked = keys.map((key) => [number(key), cum(key), key] as const);
  const sign = order.reversed ? -1 : 1;
  return ranked.sort((a, b) => sign * (words(a[2], b[2]) || b[0] - a[0] || b[1] - a[1])).map(([, , key]) => key);
}

/** Bytes of an object in thousandths, whichever of the two is the value. */
function mean(value: number, companion: number): number {
  const [a, b] = [Math.abs(value), Math.abs(companion)];
  const less = Math.min(a, b);
  return less === 0 ? 0 : Math.floor((Math.max(a, b) * 1000) / less);
}

function emptyLast(a: string, b: string): number {
  return a !== '' && b !== '' ? compareTexts(a, b) : Number(a === '') - Number(b === '');
}

/** How many rows match, and all rows with those first. */
export function foundFirst(answer: Answer, keys: readonly number[], pattern: Pattern): readonly [number, readonly number[]] {
  const matches = (key: number): boolean => {
    const row = answer.shape.rows[key];
    return pattern.test(functionName(answer, key)) || pattern.test(row?.file ?? '') || pattern.test(row?.object ?? '');
  };
  const found = keys.filter(matches);
  const first = new Set(found);
  return [found.length, [...found, ...keys.filter((key) => !first.has(key))]];
}

/** Where the row of this name or function stands; −1: nowhere. */
export function positionOf(answer: Answer, keys: readonly number[], name: string): number {
  const ofName = keys.findIndex((key) => nameOf(answer.shape, key) === name);
  return ofName >= 0 ? ofName : keys.findIndex((key) => functionName(answer, key) === name);
}

/** A row's function, without the address, file and line that finer granularities add to it. */
function functionName({ profile, shape, view }: Answer, key: number): string {
  const called = functionOf(profile, get(shape.frames, key));
  return called < 0 || granularityOf(view) === 'files' ? nameOf(shape, key) : text(profile, get(profile.page.function.name, called));
}

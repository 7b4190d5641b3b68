/** Orders and sums as the server has them. */

/** Texts by code point, as UTF-8 sorts; JavaScript's `<` goes by UTF-16 units. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    let [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    // Halves of characters beyond U+FFFF come after all others.
    if (x >= 0xd800 && y >= 0xd800) {
      x += x < 0xe000 ? 0x2000 : -0x800;
      y += y < 0xe000 ? 0x2000 : -0x800;
    }
    return x - y;
  }
  return a.length - b.length;
}

/** A mean in whole numbers; the sum itself where there is nothing to divide by. */
export function quotient(sum: number, by: number): number {
  return by === 0 ? sum : Math.trunc(sum / by) + 0;
}

/** That share of a sum, without its sign. */
export function share(sum: number, fraction: number): number {
  return Math.abs(Math.trunc(sum * fraction));
}

/** Value and base of rows, nodes or keys. */
export interface Pairs {
  readonly value: Float64Array;
  readonly base: Float64Array;
}

export function pairs(n: number): Pairs {
  return { value: new Float64Array(n), base: new Float64Array(n) };
}

export function net(of: Pairs, i: number): number {
  return (of.value[i] ?? 0) - (of.base[i] ?? 0);
}

/** Adds row `j` of `from` to row `i` of `to`. */
export function add(to: Pairs, i: number, from: Pairs, j: number): void {
  to.value[i] = (to.value[i] ?? 0) + (from.value[j] ?? 0);
  to.base[i] = (to.base[i] ?? 0) + (from.base[j] ?? 0);
}

export function isZero(of: Pairs, i: number): boolean {
  return of.value[i] === 0 && of.base[i] === 0;
}

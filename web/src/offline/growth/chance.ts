/**
 * How likely numbers are by chance (`analyze/growth/chance.rs`): additions, multiplications, divisions and roots in the
 * server's order, so that the bits are the same.
 */

/** e to the power of `-x`, `x` not negative. */
export function decay(x: number): number {
  if (x > 690) return 0;
  const small = x / 1024;
  let [sum, term] = [1, 1];
  for (let k = 1; k <= 18; k++) {
    term = (term * small) / k;
    sum += term;
  }
  for (let i = 0; i < 10; i++) sum *= sum;
  return 1 / sum;
}

/** The natural logarithm of a number above 0. */
export function ln(of: number): number {
  let [value, powers] = [of, 0];
  if (!(value > 0 && value < Infinity)) return -Infinity;
  while (value > 1.5) [value, powers] = [value / 2, powers + 1];
  while (value < 0.75) [value, powers] = [value * 2, powers - 1];
  const part = (value - 1) / (value + 1);
  let [sum, term] = [0, part];
  for (let k = 0; k < 16; k++) {
    sum += term / (2 * k + 1);
    term = term * part * part;
  }
  return 2 * sum + powers * Math.LN2;
}

/** Share of a normal distribution that lies further than `z` from its middle, on both sides. */
export function bothTails(of: number): number {
  const z = Math.abs(of);
  const t = 1 / (1 + 0.2316419 * z);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return Math.min(0.7978845608028654 * decay((z * z) / 2) * polynomial, 1);
}

/** How likely `n` throws of a coin differ at least as much from half and half as `heads` of them do. */
export function coin(n: number, heads: number): number {
  const fewer = Math.min(heads, n - heads);
  if (2 * fewer === n) return 1;
  if (n > 1000) return bothTails((n - 2 * fewer - 1) / Math.sqrt(n));
  let ways = 1;
  for (let i = 0; i < n; i++) ways /= 2;
  let sum = 0;
  for (let k = 0; k <= fewer; k++) {
    sum += ways;
    ways = (ways * (n - k)) / (k + 1);
  }
  return Math.min(2 * sum, 1);
}

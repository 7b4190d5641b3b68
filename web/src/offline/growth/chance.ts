/** How likely numbers are by chance (`analyze/growth/chance.rs`), computed in the server's order. */

/** Share of a normal distribution that lies further than `z` from its middle, on both sides. */
export function bothTails(of: number): number {
  const z = Math.abs(of);
  const t = 1 / (1 + 0.2316419 * z);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return Math.min(0.7978845608028654 * Math.exp((-z * z) / 2) * polynomial, 1);
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

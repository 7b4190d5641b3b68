import { get } from '../../logic/flame-layout';
import { median } from './line';

/** Growth in jumps with rests between them (`analyze/growth/steps.rs`). */
export interface Steps {
  /** The last dump before the first jump. */
  readonly began: number;
  readonly nJumps: number;
  /** The next jump is not overdue, if it goes on as it went. */
  readonly goesOn: boolean;
}

/** The jumps that `y` consists of; undefined: it moves all the time, or falls. */
export function stepsOf(x: Float64Array, y: Float64Array, still: number): Steps | undefined {
  const n = y.length;
  const [first, last] = [get(y, 0), get(y, n - 1)];
  let [falls, rests] = [0, 0];
  for (let i = 1; i < n; i++) {
    falls += Math.max(get(y, i - 1) - get(y, i), 0);
    if (Math.abs(get(y, i) - get(y, i - 1)) <= still) rests++;
  }
  if (last - first <= still || falls > 0.1 * (last - first) || 5 * rests < 2 * (n - 1)) return undefined;
  const jumps: { readonly from: number; to: number }[] = [];
  for (let i = 1; i < n; i++) {
    if (get(y, i) - get(y, i - 1) <= still) continue;
    const before = jumps.at(-1);
    if (before?.to === i - 1) before.to = i;
    else jumps.push({ from: i - 1, to: i });
  }
  const [one, newest] = [jumps[0], jumps.at(-1)];
  if (one === undefined || newest === undefined) return undefined;
  const full = jumps.map(({ from, to }) => [(get(x, from) + get(x, to)) / 2, get(y, from)] as const);
  const rates = full.flatMap(([at, value], i) => full.slice(i + 1).map(([later, more]) => (more - value) / (later - at)));
  let goesOn = false;
  if (rates.length > 0) {
    const rate = median(Float64Array.from(rates));
    const rest = get(x, n - 1) - (get(x, newest.from) + get(x, newest.to)) / 2;
    goesOn = rate > 0 && rest <= (1.25 * (get(y, newest.to) - get(y, newest.from))) / rate;
  }
  return { began: one.from, nJumps: jumps.length, goesOn };
}

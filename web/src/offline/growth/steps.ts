import { numberAt as get } from '../../logic/number-at';
import { extentOf } from './fits';
import { median } from './line';

/** Growth in jumps with rests between them (`analyze/growth/steps.rs`). */
export interface Steps {
  /** The last dump before the first jump. */
  readonly began: number;
  /** The first dump behind the last great one. */
  readonly settled: number;
  readonly nJumps: number;
  /** How slowly and how fast it fills, when the next jump is not overdue, if it goes on as it went. */
  readonly goesOn: readonly [number, number] | undefined;
}

/** From one dump to another one, without a rest between them. */
interface Jump {
  readonly from: number;
  to: number;
}

/** The jumps that `y` consists of; undefined: it moves all the time, or falls. `noise`: what one sample stands for. */
export function stepsOf(x: Float64Array, y: Float64Array, noise: number): Steps | undefined {
  const n = y.length;
  const growth = get(y, n - 1) - get(y, 0);
  const moves = y.subarray(1).map((v, i) => v - get(y, i));
  const middle = median(moves);
  const usual = median(moves.map((m) => Math.abs(m - middle)));
  const aimless = Math.max(4 * usual, 3 * noise);
  const still = Math.max(aimless, (0.2 * growth) / (n - 1), 0.02 * growth);
  const rests = moves.filter((m) => Math.abs(m) <= still).length;
  const falls = moves.reduce((sum, m) => sum - Math.min(m, 0), 0);
  const jumped = moves.filter((m) => m > still).reduce((sum, m) => sum + m, 0);
  if (growth <= still || falls > 0.1 * growth || 5 * rests < 2 * (n - 1) || jumped < 0.8 * growth) return undefined;
  const jumps: Jump[] = [];
  moves.forEach((m, from) => {
    if (!(m > still)) return;
    const before = jumps.at(-1);
    if (before?.to === from) before.to = from + 1;
    else jumps.push({ from, to: from + 1 });
  });
  const height = ({ from, to }: Jump): number => get(y, to) - get(y, from);
  const began = moves.findIndex((m) => m > aimless);
  if (began < 0 || jumps.some((jump) => jump.to - jump.from > 4 && height(jump) > 0.3 * growth)) return undefined;
  const settled = (jumps.findLast((jump) => height(jump) >= 0.1 * growth) ?? jumps.at(-1))?.to;
  return settled === undefined ? undefined : { began, settled, nJumps: jumps.length, goesOn: goesOn(x, y, jumps) };
}

/** The smallest and the largest speed of filling, unless the next jump is overdue. */
function goesOn(x: Float64Array, y: Float64Array, jumps: readonly Jump[]): Steps['goesOn'] {
  const rest = (i: number): number => get(x, jumps[i]?.from ?? 0) - get(x, jumps[i - 1]?.to ?? 0);
  const rests = jumps.slice(1).reduce((sum, _, i) => sum + rest(i + 1), 0);
  const mean = rests / Math.max(jumps.length - 1, 1);
  const late = jumps.filter((_, i) => i === 0 || rest(i) >= 0.9 * mean);
  const time = ({ from, to }: Jump): number => (get(x, from) + get(x, to)) / 2;
  const rates = Float64Array.from(
    late.flatMap((a, i) => late.slice(i + 1).map((b) => (get(y, b.from) - get(y, a.from)) / (time(b) - time(a)))),
  );
  const last = late.at(-1);
  if (last === undefined || rates.length === 0) return undefined;
  const rate = median(rates);
  const end = y.length - 1;
  const isDue = rate > 0 && get(x, end) - time(last) <= (1.25 * (get(y, end) - get(y, last.from))) / rate;
  return isDue ? extentOf(rates) : undefined;
}

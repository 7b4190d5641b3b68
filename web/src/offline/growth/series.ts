import type { Dump } from '../profile';
import { QueryProblem, type View } from '../view';

/** Which dumps are the series, in which order, and the axis they lie on (`analyze/growth/series.rs`). */
export interface Series {
  /** Process; empty when names tell none. */
  readonly name: string;
  readonly all: readonly string[];
  /** Place → number of the dump. */
  readonly dump: readonly number[];
  /** Place → where it lies on the axis; rises strictly. */
  readonly at: Float64Array;
  /** The axis is time, seconds; else numbers of dumps, or places. */
  readonly isTimed: boolean;
  /** Place → when it was taken, or its file written if that is the axis. */
  readonly timeNanos: readonly number[];
}

const processOf = (dump: Dump | undefined): string => dump?.series ?? '';
/** A base is of another time; of a series the dumps count that are not shown as well. */
const isOfSeries = (dump: Dump): boolean => !dump.is_base;
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function seriesOf(dumps: readonly Dump[], view: View): Series {
  const all = [...new Set(dumps.filter(isOfSeries).map(processOf))].filter((name) => name !== '').sort(byText);
  const asked = view.dumps.get('dump');
  const wanted = view.texts.get('series') ?? '';
  const name = wanted !== '' ? named(wanted, all) : asked !== undefined ? '' : largest(dumps, all);
  const usual = asked ?? dumps.flatMap((d, i) => (isOfSeries(d) ? [i] : []));
  const chosen = usual.filter((d) => d < dumps.length && (name === '' || processOf(dumps[d]) === name));
  if (chosen.length < 2) {
    throw new QueryProblem('dump', `growth needs at least two dumps of one process, found ${chosen.length}; give all dumps of the series`);
  }
  const dump = (d: number | undefined): Dump | undefined => dumps[d ?? -1];
  const time = (d: number): number => dump(d)?.time_nanos ?? 0;
  const fileTime = (d: number): number => dump(d)?.file_time ?? 0;
  const number = (d: number): number => dump(d)?.number ?? 0;
  const ofOne = chosen.every((d) => processOf(dump(d)) === processOf(dump(chosen[0])));
  const isNumbered = ofOne && chosen.every((d) => typeof dump(d)?.number === 'number');
  const by = isNumbered ? number : [time, fileTime].find((of) => chosen.every((d) => of(d) !== 0));
  // Of those named twice as well: where they were named.
  const order = chosen.map((d, i) => ({ d, i }));
  const key = (at: { readonly d: number; readonly i: number }): number => (by === undefined ? at.i : by(at.d));
  order.sort((a, b) => key(a) - key(b) || time(a.d) - time(b.d) || fileTime(a.d) - fileTime(b.d) || a.i - b.i);
  const sorted = order.map(({ d }) => d);
  const [times, fileTimes, numbers] = [sorted.map(time), sorted.map(fileTime), sorted.map(number)];
  const isByFile = !rises(times) && rises(fileTimes) && isApart(fileTimes);
  const seconds = rises(times) ? secondsOf(times) : isByFile ? secondsOf(fileTimes) : undefined;
  const first = numbers[0] ?? 0;
  const isNear = isNumbered && !rises(times) && !isByFile && ascends(numbers) && (numbers.at(-1) ?? 0) - first <= FAR;
  return {
    name: ofOne ? processOf(dump(sorted[0])) : name,
    all,
    dump: sorted,
    at: seconds ?? Float64Array.from(numbers, (n, place) => (isNear ? n - first : place)),
    isTimed: seconds !== undefined,
    timeNanos: isByFile && seconds !== undefined ? fileTimes : times,
  };
}

/** The process that a person means by its whole name or by its number. */
function named(wanted: string, all: readonly string[]): string {
  const byNumber = all.filter((name) => name.split(/[._/]/).at(-1) === wanted);
  const found = all.find((name) => name === wanted) ?? (byNumber.length === 1 ? byNumber[0] : undefined);
  if (found !== undefined) return found;
  const has = all.length === 0 ? 'the file names do not name processes' : `there are dumps of ${all.join(', ')}`;
  throw new QueryProblem('series', `series=${wanted}: unknown process; ${has}`);
}

function largest(dumps: readonly Dump[], all: readonly string[]): string {
  const of = (name: string): readonly Dump[] => dumps.filter((d) => isOfSeries(d) && processOf(d) === name);
  const newest = (name: string, time: (dump: Dump) => number): number => of(name).reduce((most, d) => Math.max(most, time(d)), -Infinity);
  const first = all.reduce((best, name) => {
    const more =
      of(name).length - of(best).length ||
      newest(name, (d) => d.time_nanos) - newest(best, (d) => d.time_nanos) ||
      newest(name, (d) => d.file_time) - newest(best, (d) => d.file_time);
    return more > 0 ? name : best;
  }, all[0] ?? '');
  return of('').length > of(first).length ? '' : first;
}

/** Nanoseconds. */
const MILLI = 1e6;

/** Files that were written closer together than this, in the mean, were copied. */
const COPIED = 50 * MILLI;

/** Numbers further apart count nothing that could be divided by. */
const FAR = 1e9;

const ascends = (values: readonly number[]): boolean => values.every((v, i) => i === 0 || v > (values[i - 1] ?? 0));
const rises = (times: readonly number[]): boolean => times[0] !== 0 && ascends(times);
const isApart = (times: readonly number[]): boolean => (times.at(-1) ?? 0) - (times[0] ?? 0) >= COPIED * times.length;

/** Seconds since the first dump, to the millisecond, when all times are known, rise, and take a second at least. */
function secondsOf(times: readonly number[]): Float64Array | undefined {
  const rise = times.every((t, i) => t !== 0 && (i === 0 || t - (times[i - 1] ?? 0) >= MILLI));
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  return rise && last - first >= 1e9 ? Float64Array.from(times, (t) => Math.round((t - first) / MILLI) / 1e3) : undefined;
}

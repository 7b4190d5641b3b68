import type { Gross, Spread } from '../api/types';
import { numberAt as get } from '../logic/number-at';
import { grossTold, type Changes } from './gross';
import { noiseOf, type Spreads } from './noise';
import type { Answer } from './answer';

/** What stands beside a sum: how sure it is, and what of it grew and shrank. Nothing where nobody asked. */
export interface Beside {
  readonly samples: number;
  readonly samplesBase: number;
  /** Variance of the value. */
  readonly value: number;
  /** Variance of value less base. */
  readonly change: number;
  readonly grown: number;
  readonly shrunk: number;
}

export const NOTHING_BESIDE: Beside = { samples: 0, samplesBase: 0, value: 0, change: 0, grown: 0, shrunk: 0 };

/** What is known of row, node or key `i`. */
export function besideOf(noise: Spreads | undefined, gross: Changes | undefined, i: number): Beside {
  if (noise === undefined && gross === undefined) return NOTHING_BESIDE;
  return {
    samples: noise === undefined ? 0 : get(noise.samples, i),
    samplesBase: noise === undefined ? 0 : get(noise.samplesBase, i),
    value: noise === undefined ? 0 : get(noise.value, i),
    change: noise === undefined ? 0 : get(noise.change, i),
    grown: gross === undefined ? 0 : get(gross.grown, i),
    shrunk: gross === undefined ? 0 : get(gross.shrunk, i),
  };
}

export function plusBeside(a: Beside, b: Beside): Beside {
  if (a === NOTHING_BESIDE) return b;
  if (b === NOTHING_BESIDE) return a;
  return {
    samples: a.samples + b.samples,
    samplesBase: a.samplesBase + b.samplesBase,
    value: a.value + b.value,
    change: a.change + b.change,
    grown: a.grown + b.grown,
    shrunk: a.shrunk + b.shrunk,
  };
}

/** In whole numbers, as it is told. */
export function spreadOf({ samples, samplesBase, value, change }: Beside): Spread {
  return {
    samples: Math.round(samples),
    samples_base: Math.round(samplesBase),
    error: Math.round(Math.sqrt(value)),
    change_error: Math.round(Math.sqrt(change)),
  };
}

/** All rows together. */
export function sumOf(noise: Spreads): Beside {
  let sum = NOTHING_BESIDE;
  for (let i = 0; i < noise.samples.length; i++) sum = plusBeside(sum, besideOf(noise, undefined, i));
  return sum;
}

export function changeOf({ grown, shrunk }: Beside): Gross {
  return { grown, shrunk };
}

/** A difference that chance alone makes in one of twenty cases. */
export function hides(beside: Beside, difference: number): boolean {
  return difference !== 0 && difference * difference < 4 * beside.change;
}

/** Columns and fields of a report of keys, by what the question asks for. */
export interface KeysBeside {
  readonly flat: (key: number) => Beside;
  readonly cum: (key: number) => Beside;
  /** What `make` gives where errors are told, else `none`. */
  readonly spread: <T, N>(make: () => T, none: N) => T | N;
  /** The same of growth and shrinkage. */
  readonly gross: <T, N>(make: () => T, none: N) => T | N;
}

export function keysBeside(answer: Answer): KeysBeside {
  const [noise, gross] = [noiseOf(answer), grossTold(answer)];
  return {
    flat: (key) => besideOf(noise?.flatOfKey, gross?.flatOfKey, key),
    cum: (key) => besideOf(noise?.cumOfKey, gross?.cumOfKey, key),
    spread: (make, none) => (noise === undefined ? none : make()),
    gross: (make, none) => (gross === undefined ? none : make()),
  };
}

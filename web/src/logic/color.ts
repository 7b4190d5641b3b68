import { packageOf } from './names';

/** How many hues the tokens define (`--hue-0` …); one more, `--hue-plain`, is for runtimes. */
export const N_HUES = 24;
/** Hue of the language runtime, the C library and names without a package. */
export const PLAIN = N_HUES;

const RUNTIME = new Set([
  'std',
  'core',
  'alloc',
  'runtime',
  '__rustc',
  '__gnu_cxx',
  '__libc',
  'libc',
  'hashbrown',
  'backtrace',
  'compiler_builtins',
  '__cxxabiv1',
  'boost',
]);

/** FNV-1a, folded: the same name has the same hue in every session and on every machine. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

const known = new Map<string, number>();

/** Hue number of a function, from its package. */
export function hueOf(name: string): number {
  const seen = known.get(name);
  if (seen !== undefined) return seen;
  const owner = packageOf(name);
  const hue = owner === '' || RUNTIME.has(owner) ? PLAIN : hashOf(owner) % N_HUES;
  if (known.size > 200_000) known.clear();
  known.set(name, hue);
  return hue;
}

/** How many steps a difference has to each side of "unchanged". */
export const N_DIFF_STEPS = 4;

/** −4 (gone) … 0 (unchanged) … 4 (new), by the change relative to the larger side. */
export function diffStep(value: number, base: number): number {
  const larger = Math.max(Math.abs(value), Math.abs(base));
  if (larger === 0 || value === base) return 0;
  const share = (value - base) / larger;
  const step = Math.ceil(Math.abs(share) * N_DIFF_STEPS);
  return Math.sign(share) * Math.min(N_DIFF_STEPS, Math.max(1, step));
}

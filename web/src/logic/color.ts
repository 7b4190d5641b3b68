import type { Row } from '../api/types';

/** Number of hues that the tokens define (`--hue-0` …); two more, `--hue-plain` and `--hue-plumbing`, are for runtimes. */
export const N_HUES = 24;
/** Hue of the language runtime, the C library and names without a package. */
export const PLAIN = N_HUES;
/** Hue of plumbing: async runtimes and code that only forwards calls. */
export const PLUMBING = N_HUES + 1;

/** FNV-1a, folded: a name has the same hue in every session and on every machine. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}

/** Hue number of a package, the same in every view and session. Allocators and runtimes are plain, plumbing has its own hue. */
export function hueOfPackage(name: string, kind: Row['kind']): number {
  switch (kind) {
    case 'allocator':
    case 'runtime':
      return PLAIN;
    case 'plumbing':
      return PLUMBING;
    case 'own':
    case 'third_party':
    case 'unknown':
      return name === '' ? PLAIN : hashOf(name) % N_HUES;
    default:
      return kind satisfies never;
  }
}

/** Hue number of a function, from its package. */
export function hueOf(row: Row): number {
  return hueOfPackage(row.package, row.kind);
}

/** Number of steps of a difference on each side of "unchanged". */
export const N_DIFF_STEPS = 4;

/** −4 (gone) … 0 (unchanged) … 4 (new), by the change relative to the larger side. */
export function diffStep(value: number, base: number): number {
  const larger = Math.max(Math.abs(value), Math.abs(base));
  if (larger === 0 || value === base) return 0;
  const share = (value - base) / larger;
  const step = Math.ceil(Math.abs(share) * N_DIFF_STEPS);
  return Math.sign(share) * Math.min(N_DIFF_STEPS, Math.max(1, step));
}

import { N_DIFF_STEPS, N_HUES } from '../logic/color';
import { KIND_ORDER, N_VALUES } from '../logic/flame-colors';

/** The theme's colours as canvas wants them; read once for each change of theme. */
export interface PaintTokens {
  /** By hue number; the last two are the runtime's and plumbing's. */
  readonly hues: readonly string[];
  /** By kind of code, as `KIND_ORDER` has them. */
  readonly kinds: readonly string[];
  /** By step of a value: nothing … most. */
  readonly values: readonly string[];
  /** By step + N_DIFF_STEPS: gone … unchanged … new. */
  readonly diffs: readonly string[];
  readonly text: string;
  readonly muted: string;
  readonly background: string;
  readonly rest: string;
  readonly accent: string;
  readonly match: string;
  readonly font: string;
}

/** Resolves custom properties through an element, so that `light-dark()` and `var()` are done with. */
export function readTokens(host: HTMLElement): PaintTokens {
  const probe = host.ownerDocument.createElement('i');
  host.append(probe);
  const color = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const tokens: PaintTokens = {
    hues: [...Array.from({ length: N_HUES }, (_, i) => color(`--hue-${i}`)), color('--hue-plain'), color('--hue-plumbing')],
    kinds: KIND_ORDER.map((kind) => color(`--kind-${kind}`)),
    values: Array.from({ length: N_VALUES }, (_, i) => color(`--value-${i}`)),
    diffs: Array.from({ length: 2 * N_DIFF_STEPS + 1 }, (_, i) => color(`--diff-${i}`)),
    text: color('--box-text'),
    muted: color('--muted'),
    background: color('--bg'),
    rest: color('--flame-rest'),
    accent: color('--accent'),
    match: color('--match'),
    font: getComputedStyle(host).fontFamily,
  };
  probe.remove();
  return tokens;
}

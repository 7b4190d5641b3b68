import { N_DIFF_STEPS, N_HUES } from '../logic/color';
import { KIND_ORDER, N_VALUES } from '../logic/flame/colors';

/** Colours of the theme for canvas; read once per change of theme. */
export interface PaintTokens {
  /** By hue number; the last two are the runtime's and plumbing's. */
  readonly hues: readonly string[];
  /** By kind of code, in the order of `KIND_ORDER`. */
  readonly kinds: readonly string[];
  /** By step of a value: none … most. */
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

const BY_NAME = ['--box-text', '--muted', '--bg', '--flame-rest', '--accent', '--match'] as const;

/**
 * Resolves custom properties through elements, so that `light-dark()` and `var()` are done with. All of them at once:
 * the browser computes styles once, not for every colour.
 */
export function readTokens(host: HTMLElement): PaintTokens {
  const { ownerDocument } = host;
  const numbered = (name: string, n: number): string[] => Array.from({ length: n }, (_, i) => `--${name}-${i}`);
  const box = ownerDocument.createElement('i');
  box.hidden = true;
  const probes = (names: readonly string[]): readonly HTMLElement[] =>
    names.map((name) => {
      const probe = ownerDocument.createElement('i');
      probe.style.color = `var(${name})`;
      box.append(probe);
      return probe;
    });
  const made = {
    hues: probes([...numbered('hue', N_HUES), '--hue-plain', '--hue-plumbing']),
    kinds: probes(KIND_ORDER.map((kind) => `--kind-${kind}`)),
    values: probes(numbered('value', N_VALUES)),
    diffs: probes(numbered('diff', 2 * N_DIFF_STEPS + 1)),
    named: probes(BY_NAME),
  };
  host.append(box);
  const read = (elements: readonly HTMLElement[]): string[] => elements.map((probe) => getComputedStyle(probe).color);
  const [text = '', muted = '', background = '', rest = '', accent = '', match = ''] = read(made.named);
  const tokens: PaintTokens = {
    ...{ hues: read(made.hues), kinds: read(made.kinds), values: read(made.values), diffs: read(made.diffs) },
    ...{ text, muted, background, rest, accent, match },
    font: getComputedStyle(host).fontFamily,
  };
  box.remove();
  return tokens;
}

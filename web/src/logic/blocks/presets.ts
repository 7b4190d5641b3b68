import type { Meta } from '../../api/types';

/** Presets of the filter `where`: stacks whose blocks are odd in a way that is worth a look. */
export interface Preset {
  readonly key: string;
  readonly label: string;
  /** What the threshold is compared with; empty where there is no threshold. */
  readonly quantity: string;
  readonly threshold: number | undefined;
  readonly unit: string;
  /** Value types that a profile must have. */
  readonly needs: readonly string[];
  /** The conditions, with `#` for the threshold. */
  readonly template: string;
}

const ACCESSES = ['read_space', 'write_space', 'alloc_space'];

const PRESETS: readonly Preset[] = [
  {
    key: 'tiny',
    label: 'Tiny blocks',
    quantity: 'mean size at most',
    threshold: 16,
    unit: 'B',
    needs: ['alloc_space', 'alloc_objects'],
    template: 'size<=#',
  },
  {
    key: 'short',
    label: 'Short-lived',
    quantity: 'mean lifetime at most',
    threshold: 500,
    unit: '',
    needs: ['lifetime', 'alloc_objects'],
    template: 'lifetime<=#',
  },
  { key: 'unread', label: 'Never read', quantity: '', threshold: undefined, unit: '', needs: ACCESSES, template: 'reads=0' },
  { key: 'unwritten', label: 'Never written', quantity: '', threshold: undefined, unit: '', needs: ACCESSES, template: 'writes=0' },
  {
    key: 'low',
    label: 'Low access',
    quantity: 'reads or writes per byte at most',
    threshold: 0.4,
    unit: '',
    needs: ACCESSES,
    template: 'reads>0,writes>0,reads/byte<=#|writes/byte<=#',
  },
  {
    key: 'high',
    label: 'High access',
    quantity: 'reads or writes per byte at least',
    threshold: 1000,
    unit: '',
    needs: ACCESSES,
    template: 'reads/byte>=#|writes/byte>=#',
  },
];

/** Units of lifetimes that profiles have, as they are shown. */
const SHORT_UNITS: Readonly<Record<string, string>> = { instructions: 'instr', microseconds: 'µs', milliseconds: 'ms', nanoseconds: 'ns' };

/** The presets that make sense for the open profile: with lifetimes or accesses. */
export function presetsOf(meta: Pick<Meta, 'value_types' | 'runs'> | undefined): readonly Preset[] {
  const types = meta?.value_types ?? [];
  const has = (kind: string): boolean => types.some((type) => type.kind === kind);
  if (!has('lifetime') && !has('read_space')) return [];
  const short = Math.max(0, ...(meta?.runs ?? []).map((run) => run.short_lifetime));
  const unit = types.find((type) => type.kind === 'lifetime')?.unit ?? '';
  return PRESETS.filter(({ needs }) => needs.every(has)).map((preset) =>
    preset.key === 'short' ? { ...preset, threshold: short > 0 ? short : preset.threshold, unit: SHORT_UNITS[unit] ?? unit } : preset,
  );
}

function escaped(text: string): string {
  return text.replace(/[|<>=]/g, '\\$&');
}

/** Where the conditions of a preset are among those of the address: place, length and threshold. */
function placeOf(preset: Preset, where: string): { readonly start: number; readonly end: number; readonly threshold: string } | undefined {
  const [first = '', ...rest] = preset.template.split('#').map(escaped);
  const number = '([0-9]*\\.?[0-9]+)';
  const source = rest.reduce((all, part, i) => `${all}${i === 0 ? number : '\\1'}${part}`, first);
  const match = new RegExp(`(?<=^|,)${source}(?=,|$)`).exec(where);
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length, threshold: match[1] ?? '' };
}

/** Threshold of a preset that is on; undefined: it is off. Empty: it has none. */
export function thresholdOf(preset: Preset, where: string): string | undefined {
  return placeOf(preset, where)?.threshold;
}

/** The conditions with a preset on, with this threshold, or off (undefined). */
export function withPreset(preset: Preset, where: string, threshold: string | undefined): string {
  const place = placeOf(preset, where);
  const around = place === undefined ? [where] : [where.slice(0, place.start), where.slice(place.end)];
  const others = around.map((part) => part.replace(/^,|,$/g, '')).filter((part) => part !== '');
  const own = threshold === undefined ? [] : [preset.template.replaceAll('#', threshold)];
  return [...others, ...own].join(',');
}

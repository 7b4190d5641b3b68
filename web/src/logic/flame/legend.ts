import type { FlameReport } from '../../api/types';
import { hueOf, PLAIN, PLUMBING } from '../color';
import { KIND_ORDER, VALUE_STEPS, type ColorBy } from './colors';
import { numberAt } from '../number-at';
import type { FlameLayout } from './layout';
import { kindLabel } from '../ownership/package';

/** Legend entries for the colours on the screen. */

export interface LegendItem {
  readonly label: string;
  /** Class of the swatch: `hue-3`, `kind-own`, `value-2`. */
  readonly swatch: string;
}

const MOST_PACKAGES = 6;

/** Group of a function → value of its stacks, each stack counted once per group. O(boxes × groups on a stack). */
function valuesBy(report: FlameReport, layout: FlameLayout, groupOf: (row: number) => string): ReadonlyMap<string, number> {
  const groups = report.row.map((_, row) => groupOf(row));
  const values = new Map<string, number>();
  const inside = new Map<string, number>();
  for (let box = layout.root; box < layout.n; box++) {
    const group = groups[numberAt(report.node, box)];
    if (group === undefined || box < (inside.get(group) ?? 0)) continue;
    inside.set(group, numberAt(layout.end, box));
    values.set(group, (values.get(group) ?? 0) + Math.abs(numberAt(report.cum, box)));
  }
  return values;
}

function packages(report: FlameReport, layout: FlameLayout): readonly LegendItem[] {
  const hues = report.row.map(hueOf);
  const labelOf = (row: number): string => {
    const hue = numberAt(hues, row);
    if (hue === PLUMBING) return 'async glue';
    const { package: name, kind } = report.row[row] ?? { package: '', kind: 'unknown' };
    return hue === PLAIN ? (kind === 'unknown' ? 'no package' : 'runtime, allocators') : name;
  };
  const swatches = new Map(report.row.map((_, row) => [labelOf(row), `hue-${numberAt(hues, row)}`]));
  const values = [...valuesBy(report, layout, labelOf)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const items = values.slice(0, MOST_PACKAGES).map(([label]) => ({ label, swatch: swatches.get(label) ?? 'rest' }));
  const others = values.length - items.length;
  return others > 0 ? [...items, { label: `${others} more`, swatch: 'none' }] : items;
}

function percent(share: number): string {
  return `${share * 100}%`;
}

/** Entries of the legend; packages by value, the largest first. */
export function legendOf(report: FlameReport, layout: FlameLayout, by: ColorBy): readonly LegendItem[] {
  if (by === 'package') return packages(report, layout);
  if (by === 'kind') {
    const seen = new Set(report.row.map(({ kind }) => kind));
    return KIND_ORDER.filter((kind) => seen.has(kind)).map((kind) => ({ label: kindLabel(kind), swatch: `kind-${kind}` }));
  }
  return [...VALUE_STEPS.keys(), VALUE_STEPS.length].map((step) => {
    const [from, to] = [VALUE_STEPS[step - 1], VALUE_STEPS[step]];
    const label = to === undefined ? `>${percent(from ?? 0)}` : step === 0 ? '0' : `≤${percent(to)}`;
    return { label, swatch: `value-${step}` };
  });
}

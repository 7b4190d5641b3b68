import type { Header } from '../api/types';
import { numberAt as get } from '../logic/number-at';
import { besideOf, changeOf, hides, spreadOf } from './beside';
import { choose } from './chosen';
import { foldedOf } from './folded';
import { grossTold } from './gross';
import { baseName } from './keys';
import { noiseOf } from './noise';
import { net } from './order';
import type { Packages } from './packages';
import { text, type Profile } from './profile';
import type { Shape } from './shape';
import { sumsOf } from './sums';
import { chargesCulprits, usesKinds, type View } from './view';
import { makeWeights, type Weights } from './weights';

/** Everything that a report is made from. */
export interface Answer {
  readonly profile: Profile;
  readonly packages: Packages;
  readonly shape: Shape;
  readonly weights: Weights;
  readonly view: View;
}

/** A header while its report is made. */
export type Draft = { -readonly [K in keyof Header]: Header[K] };

/** In pprof's order. */
const FILTERS = ['focus', 'ignore', 'hide', 'show', 'show_from', 'hide_kind', 'culprit', 'kinds', 'package', 'blame', 'type'].concat([
  'tagfocus',
  'tagignore',
  'tagshow',
  'taghide',
]);

/** What every report says first (`Answer::header` of the server). */
export function headerOf(answer: Answer): Draft {
  const { profile, packages, shape, weights, view } = answer;
  const { page } = profile;
  const type = profile.valueTypes[weights.valueType];
  const companion = profile.valueTypes[weights.companion?.valueType ?? -1];
  const chosen = choose(profile, view);
  const dumps = profile.dumps.filter((_, i) => chosen.value.includes(i) || chosen.base.includes(i));
  const times = dumps.map((d) => d.time_nanos).filter((t) => t !== 0);
  const [value, base] = weights.sum;
  return {
    file: baseName(text(profile, page.mapping.file[0] ?? 0)),
    build_id: text(profile, page.mapping.build_id[0] ?? 0),
    value_type: type === undefined ? '' : view.flags.has('mean') ? `mean_${type.kind}` : type.kind,
    unit: type?.unit.toLowerCase() ?? '',
    output_unit: view.texts.get('unit') ?? 'minimum',
    companion_type: companion?.kind ?? '',
    companion_unit: companion?.unit.toLowerCase() ?? '',
    divide_by: view.numbers.get('divide_by') ?? 1,
    total: weights.total,
    has_base: weights.hasBase,
    value_total: value,
    base_total: base,
    ...foldedOf(answer),
    ...besideAll(answer),
    shown: 0,
    n_shown: 0,
    n_total: 0,
    dropped_nodes: 0,
    node_cutoff: 0,
    dropped_edges: 0,
    edge_cutoff: 0,
    filters: view.query
      .filter(
        ([name]) => FILTERS.includes(name) && (name !== 'kinds' || usesKinds(view)) && (name !== 'hide_kind' || view.hidden.length > 0),
      )
      .map(([name, word]) => `${name}=${word}`),
    query: view.query.map(([name, word]) => [name, word]),
    time_nanos: times.length === 0 ? 0 : Math.min(...times),
    duration_nanos: dumps.reduce((sum, d) => sum + d.duration_nanos, 0),
    comments: page.comments.map((comment) => text(profile, comment)),
    doc_url: text(profile, page.doc_url),
    warnings: [...weights.warnings, ...shape.warnings, ...unmatchedKeys(profile, weights, view)],
    wrappers: chargesCulprits(view) ? packages.wrappers() : [],
    builds: profile.builds,
    compact: view.flags.has('compact_labels'),
  };
}

/** How sure the whole is, what grew and shrank of it, how many rows are new and gone. */
function besideAll(answer: Answer): Pick<Header, 'period' | 'spread' | 'gross' | 'n_new' | 'n_gone' | 'within_noise'> {
  const { profile, shape, weights, view } = answer;
  const { value, base } = choose(profile, view);
  const [noise, gross] = [noiseOf(answer), grossTold(answer)];
  const whole = besideOf(noise?.cum, gross?.cum, 0);
  const { flat, cum } = sumsOf(shape, weights);
  const all = Array.from({ length: shape.nKeys }, (_, key) => key);
  const hidden = (key: number): boolean => hides(besideOf(noise?.flatOfKey, undefined, key), net(flat, key));
  return {
    period: Math.max(0, ...[...value, ...base].map((dump) => profile.dumps[dump]?.period ?? 0)),
    spread: noise === undefined ? null : spreadOf(whole),
    gross: gross === undefined ? null : changeOf(whole),
    n_new: gross === undefined ? 0 : all.filter((key) => get(cum.base, key) === 0 && get(cum.value, key) !== 0).length,
    n_gone: gross === undefined ? 0 : all.filter((key) => get(cum.value, key) === 0 && get(cum.base, key) !== 0).length,
    within_noise: weights.hasBase ? all.filter(hidden).reduce((sum, key) => sum + Math.abs(net(flat, key)), 0) : 0,
  };
}

/** Expressions for the keys of labels that match none of the rows that pass, in words. */
function unmatchedKeys(profile: Profile, weights: Weights, view: View): readonly string[] {
  const asked = [
    ['TagShow', view.patterns.get('tagshow')],
    ['TagHide', view.patterns.get('taghide')],
  ] as const;
  if (asked.every(([, pattern]) => pattern === undefined)) return [];
  const keys = new Set<string>();
  profile.page.sample.labels.forEach((set, row) => {
    if (weights.passes[row] === 1) profile.labels[set]?.forEach((label) => keys.add(label.key));
  });
  const unmet = asked.filter(([, pattern]) => pattern !== undefined && ![...keys].some(pattern.test));
  return unmet.map(([name]) => `${name} expression matched no samples`);
}

/** The same in whole sums: means neither add up nor make a histogram. */
export function withoutMean(asked: Answer): Answer {
  const { profile, packages, shape, view } = asked;
  if (!view.flags.has('mean')) return asked;
  const flags = new Set([...view.flags].filter((flag) => flag !== 'mean'));
  const plain = { ...view, flags, query: view.query.filter(([name]) => name !== 'mean') };
  return { profile, packages, shape, weights: makeWeights(profile, packages, shape, plain), view: plain };
}

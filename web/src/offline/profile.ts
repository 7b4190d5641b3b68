import type { MatchedBuilds } from '../api/types';
import { get } from '../logic/get';

/** The profile in a report file: what `heapview export` wrote (`src/report_data/offline.rs`), made ready for sums. */

type Numbers = readonly number[];

/** As it is read (`data.ts`). `…_step` columns hold differences to the number before. */
export interface PageProfile {
  readonly strings: readonly string[];
  readonly default_type: number | null;
  readonly doc_url: number;
  readonly comments: Numbers;
  readonly mapping: {
    readonly file: Numbers;
    readonly build_id: Numbers;
    readonly start: readonly string[];
    readonly offset: readonly string[];
    readonly bias: readonly (string | null)[];
  };
  readonly function: {
    readonly name: Numbers;
    readonly full_name: Numbers;
    /** Of a closure the function that it stands in; 0 of all else. */
    readonly outer: Numbers;
    readonly file: Numbers;
    readonly path: Numbers;
    readonly start_line: Numbers;
  };
  readonly location: {
    readonly mapping: Numbers;
    /** Upper and lower half of the address. */
    readonly high_step: Numbers;
    readonly low_step: Numbers;
    readonly first_step: Numbers;
    readonly n_frames: Numbers;
  };
  readonly frame: {
    readonly location_step: Numbers;
    readonly function: Numbers;
    readonly line: Numbers;
    readonly column: Numbers;
    readonly package: Numbers;
    readonly file_package: Numbers;
  };
  readonly package: {
    readonly name: Numbers;
    readonly version: Numbers;
    readonly kind: Numbers;
    readonly module: Numbers;
    /** Of an allocation wrapper the kind it would have otherwise; of all else the empty text. */
    readonly wrapper_of: Numbers;
    /** Names of allocation wrappers, those with most bytes first. */
    readonly wrappers: Numbers;
  };
  /** Type → its short and its full name; the first is of what is unknown. */
  readonly type: { readonly name: Numbers; readonly full_name: Numbers };
  readonly stack: { readonly up: Numbers; readonly frame: Numbers };
  /** Label set → labels: `[key, text]` or `[key, number, unit]`. */
  readonly labels: readonly (readonly Numbers[])[];
  readonly sample: { readonly stack_step: Numbers; readonly labels: Numbers; readonly type: Numbers; readonly values: readonly Numbers[] };
}

export interface ValueType {
  readonly kind: string;
  readonly unit: string;
}

export interface Dump {
  readonly name: string;
  readonly time_nanos: number;
  readonly duration_nanos: number;
  /** When its file was written last; 0 when unknown. */
  readonly file_time: number;
  /** Mean distance of samples, bytes; 0: all is exact. */
  readonly period: number;
  readonly is_base: boolean;
  readonly is_added: boolean;
  /** The process that it is of; empty when its name does not tell. */
  readonly series: string;
  /** Which of the dumps of that process it is. */
  readonly number?: number | null;
}

/** A label: a text, or a number with its unit. */
export type Label =
  | { readonly kind: 'text'; readonly key: string; readonly text: string }
  | { readonly kind: 'number'; readonly key: string; readonly number: number; readonly unit: string };

/** The profile, its tree with parents and ends, its differences added up. */
export interface Profile {
  readonly page: PageProfile;
  readonly valueTypes: readonly ValueType[];
  readonly dumps: readonly Dump[];
  /** How functions of several builds were matched; null when all dumps are of one build. */
  readonly builds: MatchedBuilds | null;
  /** Location → its innermost frame; the frames that it was inlined into follow. */
  readonly firstFrame: Int32Array;
  /** Location → upper and lower half of its address. */
  readonly high: Float64Array;
  readonly low: Float64Array;
  /** Frame → location. */
  readonly locationOf: Int32Array;
  /** Node → caller; node 0 is the root. */
  readonly parent: Int32Array;
  /** Node → one past the last node below it. */
  readonly end: Int32Array;
  /** Node → frame; of the root meaningless. */
  readonly frame: Int32Array;
  /** Row → node. */
  readonly rowStack: Int32Array;
  readonly labels: readonly (readonly Label[])[];
}

function added(steps: Numbers): Float64Array {
  let sum = 0;
  return Float64Array.from(steps, (step) => (sum += step));
}

export function readProfile(
  page: PageProfile,
  valueTypes: readonly ValueType[],
  dumps: readonly Dump[],
  builds: MatchedBuilds | null = null,
): Profile {
  const n = page.stack.up.length + 1;
  const [parent, end, frame] = [new Int32Array(n), new Int32Array(n), new Int32Array(n)];
  for (let node = 1; node < n; node++) {
    let caller = node - 1;
    for (let up = get(page.stack.up, node - 1); up > 0 && caller > 0; up--) caller = get(parent, caller);
    parent[node] = caller;
    frame[node] = get(page.stack.frame, node - 1);
  }
  for (let node = n - 1; node >= 0; node--) {
    end[node] = Math.max(get(end, node), node + 1);
    if (node > 0) end[get(parent, node)] = Math.max(get(end, get(parent, node)), get(end, node));
  }
  const string = (i: number | undefined): string => page.strings[i ?? 0] ?? '';
  const label = ([key, value, unit]: Numbers): Label =>
    unit === undefined
      ? { kind: 'text', key: string(key), text: string(value) }
      : { kind: 'number', key: string(key), number: value ?? 0, unit: string(unit) };
  return {
    page,
    valueTypes,
    dumps,
    builds,
    firstFrame: Int32Array.from(added(page.location.first_step)),
    high: added(page.location.high_step),
    low: added(page.location.low_step),
    locationOf: Int32Array.from(added(page.frame.location_step)),
    parent,
    end,
    frame,
    rowStack: Int32Array.from(added(page.sample.stack_step)),
    labels: page.labels.map((set) => set.map(label)),
  };
}

export function text(profile: Profile, number: number): string {
  return profile.page.strings[number] ?? '';
}

export function nFrames(profile: Profile): number {
  return profile.locationOf.length;
}

export function nRows(profile: Profile): number {
  return profile.rowStack.length;
}

/** The function of a frame; −1: the address has no name. */
export function functionOf(profile: Profile, frame: number): number {
  return get(profile.page.frame.function, frame) - 1;
}

/** The mapping of a location; −1: none. */
export function mappingOf(profile: Profile, location: number): number {
  return get(profile.page.location.mapping, location) - 1;
}

/** The value type to show when none is named. */
export function defaultValueType(profile: Profile): number {
  return profile.page.default_type ?? -1;
}

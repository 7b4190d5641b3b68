import { numberAt as get } from '../logic/number-at';
import { functionOf, mappingOf, nFrames, text, type Profile } from './profile';
import type { Packages } from './packages';
import { chargesCulprits, type Pattern, type View } from './view';
import { simpleName } from '../logic/names/simple-name';

/** Which functions, files and mapped files an expression matches, each looked at once (`analyze/tree/matcher.rs`). */
export interface Matcher {
  readonly frame: (frame: number) => boolean;
  /** The location's mapped file matches. */
  readonly mapping: (location: number) => boolean;
}

export function matcher(profile: Profile, pattern: Pattern): Matcher {
  const { function: functions, mapping } = profile.page;
  const known = new Map<number, boolean>();
  const hit = (string: number): boolean => {
    let found = known.get(string);
    if (found === undefined) known.set(string, (found = pattern.test(text(profile, string))));
    return found;
  };
  const ofFunction = functions.name.map((name, i) => {
    const file = get(functions.file, i);
    return hit(name) || (file !== 0 && hit(file));
  });
  const ofMapping = mapping.file.map(hit);
  return {
    frame: (frame) => ofFunction[functionOf(profile, frame)] ?? false,
    mapping: (location) => ofMapping[mappingOf(profile, location)] ?? false,
  };
}

/** The frames of a location: from the innermost one to one past the outermost. */
export function framesOf(profile: Profile, location: number): readonly [number, number] {
  const first = get(profile.firstFrame, location);
  return [first, Math.min(first + get(profile.page.location.n_frames, location), nFrames(profile))];
}

export function nLocations(profile: Profile): number {
  return profile.firstFrame.length;
}

/** Location → any of its frames or its mapped file matches. */
export function markedLocations(profile: Profile, pattern: Pattern): Uint8Array {
  const matches = matcher(profile, pattern);
  return Uint8Array.from({ length: nLocations(profile) }, (_, location) => {
    const [first, end] = framesOf(profile, location);
    for (let frame = first; frame < end; frame++) if (matches.frame(frame)) return 1;
    return matches.mapping(location) ? 1 : 0;
  });
}

/** Which frames a view sees, and where stacks may begin and end (`analyze/tree/visibility.rs`). */
export interface Visibility {
  /** Frame → 1 when it is left out. */
  readonly hidden: Uint8Array;
  /** Frame → 1 when it is inlined into a frame of its location that is seen. */
  readonly inlined: Uint8Array;
  readonly begins: Uint8Array | undefined;
  readonly ends: Uint8Array | undefined;
  readonly filters: boolean;
  /** Frame → 1 when expressions leave it out: stacks of nothing else are dropped; undefined: those of hidden frames are. */
  readonly unwanted: Uint8Array | undefined;
  /** Frame → 1 when it is left out because of its kind; undefined: none is. */
  readonly folded: Uint8Array | undefined;
  readonly warnings: readonly string[];
}

export function visibility(profile: Profile, packages: Packages, view: View): Visibility {
  const hidden = new Uint8Array(nFrames(profile));
  const warnings: string[] = [];
  const unmatched = (name: string, matched: boolean): void => {
    if (!matched) warnings.push(`${name} expression matched no samples`);
  };
  const [hidePattern, show, showFrom, pruneFrom] = ['hide', 'show', 'show_from', 'prune_from'].map((name) => view.patterns.get(name));
  if (hidePattern !== undefined) unmatched('Hide', hide(profile, hidePattern, true, hidden));
  if (show !== undefined) unmatched('Show', hide(profile, show, false, hidden));
  const begins = showFrom === undefined ? undefined : findBegins(profile, showFrom, hidden);
  if (begins !== undefined) unmatched('ShowFrom', begins.includes(1));
  const ends = pruneFrom === undefined ? undefined : findEnds(profile, pruneFrom, hidden);
  // Kinds fold, they do not drop: expressions see what lies beneath, and no total changes.
  const unwanted = view.hidden.length > 0 || chargesCulprits(view) ? hidden.slice() : undefined;
  const folded = view.hidden.length === 0 ? undefined : new Uint8Array(hidden.length);
  if (folded !== undefined)
    for (let frame = 0; frame < hidden.length; frame++) {
      if (get(hidden, frame) === 0 && view.hidden.includes(packages.of(frame, false).kind)) folded[frame] = hidden[frame] = 1;
    }
  const inlined = new Uint8Array(nFrames(profile));
  const noInlines = view.flags.has('noinlines');
  for (let location = 0; location < nLocations(profile); location++) {
    const [first, end] = framesOf(profile, location);
    let outer = true;
    for (let frame = end - 1; frame >= first; frame--) {
      if (get(hidden, frame) === 1) continue;
      if (outer) outer = false;
      else if (noInlines) hidden[frame] = 1;
      else inlined[frame] = 1;
    }
  }
  const filters = hidePattern !== undefined || show !== undefined || showFrom !== undefined;
  return { hidden, inlined, begins, ends, filters, unwanted, folded, warnings };
}

/** Node of the profile → 1 when it is a culprit that is folded, and shown because nothing else of its stacks would be (`keep_last_culprits`). */
export function keptCulprits(profile: Profile, { folded, hidden, begins }: Visibility, culprits: Int32Array): Uint8Array | undefined {
  if (folded === undefined) return undefined;
  const n = profile.parent.length;
  const [isCulprit, begun, seen, kept] = [new Uint8Array(n), new Uint8Array(n), new Uint8Array(n), new Uint8Array(n)];
  for (const stack of profile.rowStack) isCulprit[get(culprits, stack)] = 1;
  if (begins === undefined) begun.fill(1);
  for (let node = 1; node < n; node++) {
    const [caller, frame] = [get(profile.parent, node), get(profile.frame, node)];
    if (get(begun, caller) === 1 || begins?.[get(profile.locationOf, frame)] === 1) begun[node] = 1;
    seen[node] = get(seen, caller) | (get(begun, node) & (1 - get(hidden, frame)));
    kept[node] = get(isCulprit, node) & get(begun, node) & (1 - get(seen, node)) & get(folded, frame);
  }
  return kept;
}

/** Node of the profile → 1 when expressions leave something of it; undefined: as much as is seen. */
export function wanted(profile: Profile, { unwanted, begins }: Visibility): Uint8Array | undefined {
  if (unwanted === undefined) return undefined;
  const begun = new Uint8Array(profile.parent.length);
  const left = new Uint8Array(begun.length);
  if (begins === undefined) begun.fill(1);
  for (let node = 1; node < left.length; node++) {
    const [caller, frame] = [get(profile.parent, node), get(profile.frame, node)];
    if (get(begun, caller) === 1 || begins?.[get(profile.locationOf, frame)] === 1) begun[node] = 1;
    left[node] = get(left, caller) | (get(begun, node) & (1 - get(unwanted, frame)));
  }
  return left;
}

/** Hides the frames that match, or those that do not; whether any that was seen matched. */
function hide(profile: Profile, pattern: Pattern, matching: boolean, hidden: Uint8Array): boolean {
  const matches = matcher(profile, pattern);
  let any = false;
  for (let location = 0; location < nLocations(profile); location++) {
    const whole = matches.mapping(location);
    const [first, end] = framesOf(profile, location);
    for (let frame = first; frame < end; frame++) {
      const hit = whole || matches.frame(frame);
      any ||= hit && get(hidden, frame) === 0;
      if (hit === matching) hidden[frame] = 1;
    }
  }
  return any;
}

/** Location → 1 when stacks begin here; the frames that the match was inlined into are hidden. */
function findBegins(profile: Profile, pattern: Pattern, hidden: Uint8Array): Uint8Array {
  const matches = matcher(profile, pattern);
  const begins = new Uint8Array(nLocations(profile));
  for (let location = 0; location < begins.length; location++) {
    const [first, end] = framesOf(profile, location);
    let [seen, last] = [false, -1];
    for (let frame = first; frame < end; frame++) {
      if (get(hidden, frame) === 1) continue;
      seen = true;
      if (matches.frame(frame)) last = frame;
    }
    if (matches.mapping(location)) begins[location] = seen ? 1 : 0;
    else if (last >= 0) {
      begins[location] = 1;
      hidden.fill(1, last + 1, end);
    }
  }
  return begins;
}

/** Location → 1 when stacks end here; the frames inlined into the match are hidden. */
function findEnds(profile: Profile, pattern: Pattern, hidden: Uint8Array): Uint8Array {
  const hits = profile.page.function.name.map((name) => name !== 0 && pattern.test(simpleName(text(profile, name))));
  const ends = new Uint8Array(nLocations(profile));
  for (let location = 0; location < ends.length; location++) {
    const [first, end] = framesOf(profile, location);
    for (let frame = first; frame < end; frame++) {
      if (get(hidden, frame) === 1 || hits[functionOf(profile, frame)] !== true) continue;
      ends[location] = 1;
      hidden.fill(1, first, frame);
      break;
    }
  }
  return ends;
}

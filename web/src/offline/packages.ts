import { numberAt as get } from '../logic/number-at';
import { fits, type Kind, KINDS, type KindRule } from '../logic/ownership/kind-rules';
import { functionOf, mappingOf, nFrames, text, type Profile } from './profile';
import type { View } from './view';

/** Whose code frames are, by the file and the person's rules (`attribution/per_profile.rs`, `culprit.rs`, `blame.rs`). */

export interface Package {
  readonly name: string;
  readonly version: string;
  readonly kind: Kind;
  readonly module: string;
  /** Of an allocation wrapper, whose callers are charged, the kind it would have otherwise. */
  readonly wrapperOf: Kind | undefined;
}

export interface Packages {
  /** Whose code a frame is; `byFile`: only its source file counts. */
  readonly of: (frame: number, byFile: boolean) => Package;
  /** Node of the profile → the node of its culprit's frame, on the way from the root to it; the root's is itself. */
  readonly culprits: () => Int32Array;
  /** Names of the allocation wrappers whose callers are charged, those with most bytes first. */
  readonly wrappers: () => readonly string[];
}

export function makePackages(profile: Profile, rules: readonly KindRule[]): Packages {
  const { page } = profile;
  const kindOf = (word: number): Kind | undefined => KINDS.find((kind) => kind === text(profile, word));
  const plain = page.package.name.map((name, i): Package => {
    return {
      name: text(profile, name),
      version: text(profile, get(page.package.version, i)),
      kind: kindOf(get(page.package.kind, i)) ?? 'unknown',
      module: text(profile, get(page.package.module, i)),
      wrapperOf: kindOf(get(page.package.wrapper_of, i)),
    };
  });
  const known = [new Map<string, Package>(), new Map<string, Package>()] as const;
  const of = (frame: number, byFile: boolean): Package => {
    const number = get(byFile ? page.frame.file_package : page.frame.package, frame);
    const found = plain[number] ?? NOBODY;
    if (rules.length === 0) return found;
    const [called, mapping] = [functionOf(profile, frame), mappingOf(profile, get(profile.locationOf, frame))];
    const word = `${number} ${called} ${mapping}`;
    const before = known[byFile ? 1 : 0].get(word);
    if (before !== undefined) return before;
    const string = (column: readonly number[], i: number): string => (i < 0 ? '' : text(profile, get(column, i)));
    const now = byRules(rules, found, {
      package: found.name,
      function: string(page.function.name, called),
      file: string(page.function.file, called),
      library: string(page.mapping.file, mapping),
    });
    known[byFile ? 1 : 0].set(word, now);
    return now;
  };
  let culprits: Int32Array | undefined;
  let wrappers: readonly string[] | undefined;
  return {
    of,
    culprits: () => (culprits ??= findCulprits(profile, of)),
    wrappers: () => (wrappers ??= findWrappers(profile, of)),
  };
}

const NOBODY: Package = { name: '', version: '', kind: 'unknown', module: '', wrapperOf: undefined };

/** Those that no rule says something else of. */
function findWrappers(profile: Profile, of: Packages['of']): readonly string[] {
  const { page } = profile;
  if (page.package.wrappers.length === 0) return [];
  const charged = new Set<number>();
  for (let frame = 0; frame < nFrames(profile); frame++) {
    const called = functionOf(profile, frame);
    if (called >= 0 && of(frame, false).wrapperOf !== undefined) charged.add(get(page.function.name, called));
  }
  return page.package.wrappers.filter((name) => charged.has(name)).map((name) => text(profile, name));
}

/** What the first rule that fits makes of a package. */
function byRules(rules: readonly KindRule[], found: Package, said: Readonly<Record<KindRule['on'], string>>): Package {
  const rule = rules.find(({ on, pattern }) => fits(pattern, said[on]));
  if (rule === undefined) return found;
  // What wraps the allocator does so in code of any kind; only a rule for the function itself makes it something else.
  if (found.wrapperOf !== undefined && rule.on !== 'function' && rule.kind !== 'allocator')
    return { ...found, wrapperOf: rule.kind, ...(rule.package === '' ? {} : { name: rule.package, version: '' }) };
  if (rule.package === '') return { ...found, kind: rule.kind, wrapperOf: undefined };
  return { ...found, kind: rule.kind, name: rule.package, version: '', wrapperOf: undefined };
}

const RANKS: Readonly<Record<Kind, number>> = { own: 4, third_party: 3, unknown: 2, plumbing: 1, runtime: 0, allocator: 0 };

function findCulprits(profile: Profile, of: Packages['of']): Int32Array {
  const n = profile.parent.length;
  const [found, rank, isClosed, isNameless] = [new Int32Array(n), new Int8Array(n), new Uint8Array(n), new Uint8Array(n)];
  for (let node = 1; node < n; node++) {
    const parent = get(profile.parent, node);
    found[node] = get(found, parent);
    rank[node] = get(rank, parent);
    isClosed[node] = get(isClosed, parent);
    isNameless[node] = get(isNameless, parent);
    // What an allocator calls is the allocator's affair.
    if (get(isClosed, node) === 1) continue;
    const owner = of(get(profile.frame, node), false);
    const { kind, wrapperOf } = owner;
    const isWithout = isInNamelessFile(profile, owner, get(profile.frame, node));
    // A library without names is charged itself, not own code that called it.
    const isOwn = isWithout && get(rank, node) === RANKS.own;
    const isCharged = isOwn && (get(isNameless, node) === 1 || !isSameFile(profile, get(found, node), node));
    const [isWrapper, ranked] = [wrapperOf !== undefined, isCharged ? RANKS.own : RANKS[wrapperOf ?? kind]];
    const isAllocator = kind === 'allocator' && !isWrapper;
    if (isAllocator) isClosed[node] = 1;
    // A wrapper is to blame only where nothing of its kind called it.
    const isBetter = isWrapper ? ranked > get(rank, node) : ranked >= get(rank, node) && !isAllocator;
    if (get(found, node) !== 0 && !isBetter) continue;
    found[node] = node;
    rank[node] = ranked;
    isNameless[node] = isWithout ? 1 : 0;
  }
  return found;
}

function isInNamelessFile(profile: Profile, { kind, name }: Package, frame: number): boolean {
  return kind === 'unknown' && name !== '' && !name.startsWith('[') && functionOf(profile, frame) < 0;
}

function isSameFile(profile: Profile, a: number, b: number): boolean {
  const file = (node: number): number => {
    const mapping = node === 0 ? -1 : mappingOf(profile, get(profile.locationOf, get(profile.frame, node)));
    return mapping < 0 ? -1 : get(profile.page.mapping.file, mapping);
  };
  return file(a) === file(b);
}

/** Node of the profile → 1 when its culprit is one that the filters keep; undefined: they keep all. */
export function blamed(profile: Profile, packages: Packages, view: View, warnings: string[]): Uint8Array | undefined {
  const [ofPackage, blame] = [view.patterns.get('package'), view.patterns.get('blame')];
  if (ofPackage === undefined && blame === undefined) return undefined;
  const { name } = profile.page.function;
  let [anyPackage, anyBlame] = [false, false];
  const kept = Uint8Array.from({ length: nFrames(profile) }, (_, frame) => {
    const called = functionOf(profile, frame);
    const isOfPackage = ofPackage?.test(packages.of(frame, false).name) ?? true;
    const outer = called < 0 ? 0 : get(profile.page.function.outer, called);
    const isBlamed =
      blame === undefined ||
      blame.test(called < 0 ? '' : text(profile, get(name, called))) ||
      (outer !== 0 && blame.test(text(profile, outer)));
    anyPackage ||= isOfPackage;
    anyBlame ||= isBlamed;
    return isOfPackage && isBlamed ? 1 : 0;
  });
  if (!anyPackage) warnings.push('Package expression matched no samples');
  if (!anyBlame) warnings.push('Blame expression matched no samples');
  // The root is nobody's.
  return Uint8Array.from(packages.culprits(), (node) => (node === 0 ? 0 : get(kept, get(profile.frame, node))));
}

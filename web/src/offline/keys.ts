import { numberAt as get } from '../logic/number-at';
import type { Row } from '../api/types';
import type { Packages } from './packages';
import { functionOf, mappingOf, nFrames, text, type Profile } from './profile';
import { foldsClosures, granularityOf, isOfOwners, type Granularity, type View } from './view';

/** What frames are grouped by, and what rows of reports say of each group (`analyze/tree/keys.rs`). */
export interface Keys {
  readonly rows: readonly Row[];
  /** Key → one of its frames. */
  readonly frames: readonly number[];
  /** Frame → key. */
  readonly ofFrame: Int32Array;
  /** Frame → 1 when a call of it by a frame of the same key is no call; undefined: of none. */
  readonly joins: Uint8Array | undefined;
}

/** How frames become keys. */
export interface KeySpec {
  readonly granularity: Granularity;
  readonly columns: boolean;
  /** Frames without a function are told apart by address, not only by mapped file. */
  readonly unnamedByAddress: boolean;
  /** Closures are called what they stand in. */
  readonly foldsClosures: boolean;
}

export function keySpec(view: View): KeySpec {
  const granularity = granularityOf(view);
  const columns = view.flags.has('showcolumns') || (granularity === 'addresses' && !view.flags.has('noinlines'));
  const ofFunctions = granularity === 'functions' || granularity === 'filefunctions';
  return { granularity, columns, unnamedByAddress: view.kind === 'flame', foldsClosures: ofFunctions && foldsClosures(view) };
}

/** What makes two frames the same. */
interface Identity {
  readonly name: number;
  readonly file: number;
  readonly line: number;
  readonly column: number;
  /** Hexadecimal; empty when it does not count. */
  readonly address: string;
  readonly object: number;
}

export function makeKeys(profile: Profile, packages: Packages, spec: KeySpec): Keys {
  if (isOfOwners(spec.granularity)) return keysOfOwners(profile, packages, spec.granularity);
  const ids = new Map<string, number>();
  const rows: Row[] = [];
  const frames: number[] = [];
  const ofFrame = Int32Array.from({ length: nFrames(profile) }, (_, frame) => {
    const id = identity(profile, frame, spec);
    const word = `${id.name} ${id.file} ${id.line} ${id.column} ${id.address} ${id.object}`;
    let key = ids.get(word);
    if (key === undefined) {
      ids.set(word, (key = rows.length));
      rows.push(makeRow(profile, packages, frame, id, spec));
      frames.push(frame);
    }
    return key;
  });
  const isClosure = (frame: number): number => (outerOf(profile, frame) === 0 ? 0 : 1);
  return { rows, frames, ofFrame, joins: spec.foldsClosures ? Uint8Array.from(ofFrame, (_, frame) => isClosure(frame)) : undefined };
}

/** The function that a frame's closure stands in; 0: it is none. */
function outerOf(profile: Profile, frame: number): number {
  const called = functionOf(profile, frame);
  return called < 0 ? 0 : get(profile.page.function.outer, called);
}

/** Groups frames by whose they are. */
function keysOfOwners(profile: Profile, packages: Packages, granularity: Granularity): Keys {
  const ids = new Map<string, number>();
  const rows: Row[] = [];
  const frames: number[] = [];
  const ofFrame = Int32Array.from({ length: nFrames(profile) }, (_, frame) => {
    const { name: package_, version, kind, module } = packages.of(frame, false);
    const object = objectOf(profile, frame);
    const name = granularity === 'libraries' ? object : granularity === 'modules' && module !== '' ? module : package_;
    let key = ids.get(name);
    if (key === undefined) {
      ids.set(name, (key = rows.length));
      rows.push({ ...NO_ROW, name: name === '' ? '<unknown>' : name, object, package: package_, version, kind });
      frames.push(frame);
    }
    return key;
  });
  return { rows, frames, ofFrame, joins: new Uint8Array(ofFrame.length).fill(1) };
}

/** Base name of a frame's mapped file. */
function objectOf(profile: Profile, frame: number): string {
  const mapping = mappingOf(profile, get(profile.locationOf, frame));
  return mapping < 0 ? '' : baseName(text(profile, get(profile.page.mapping.file, mapping)));
}

function addressOf(profile: Profile, frame: number): string {
  const at = get(profile.locationOf, frame);
  const [high, low] = [get(profile.high, at), get(profile.low, at)];
  if (high === 0) return low === 0 ? '' : low.toString(16);
  return high.toString(16) + low.toString(16).padStart(8, '0');
}

function identity(profile: Profile, frame: number, spec: KeySpec): Identity {
  const { page } = profile;
  const byAddress = spec.granularity === 'addresses';
  const mapping = mappingOf(profile, get(profile.locationOf, frame));
  const object = mapping < 0 ? 0 : get(page.mapping.file, mapping);
  const called = functionOf(profile, frame);
  if (called < 0)
    return { name: 0, file: 0, line: 0, column: 0, address: byAddress || spec.unnamedByAddress ? addressOf(profile, frame) : '', object };
  const withLine = spec.granularity === 'lines' || byAddress;
  const outer = spec.foldsClosures ? outerOf(profile, frame) : 0;
  const name = spec.granularity === 'files' ? 0 : outer || get(page.function.name, called);
  const file = spec.granularity === 'functions' ? 0 : get(page.function.path, called);
  return {
    name,
    file,
    line: withLine ? get(page.frame.line, frame) : 0,
    column: withLine && spec.columns ? get(page.frame.column, frame) : 0,
    address: byAddress ? addressOf(profile, frame) : '',
    object: name === 0 && file === 0 ? object : 0,
  };
}

/** A row of what is not there. */
export const NO_ROW: Row = {
  name: '',
  full_name: '',
  file: '',
  line: 0,
  object: '',
  package: '',
  version: '',
  kind: 'unknown',
};

function makeRow(profile: Profile, packages: Packages, frame: number, id: Identity, spec: KeySpec): Row {
  const { page } = profile;
  const mapping = mappingOf(profile, get(profile.locationOf, frame));
  const object = objectOf(profile, frame);
  const file = text(profile, id.file);
  const parts: string[] = [];
  if (id.address !== '' && !(spec.unnamedByAddress && spec.granularity !== 'addresses')) parts.push(id.address.padStart(16, '0'));
  if (id.name !== 0) parts.push(text(profile, id.name));
  if (id.line !== 0) parts.push(`${file}:${id.line}${id.column === 0 ? '' : `:${id.column}`}`);
  else if (file !== '') parts.push(file);
  else if (id.name === 0) {
    const bare = object.startsWith('[') && object.endsWith(']') && object.length > 1 ? object.slice(1, -1) : object;
    if (spec.unnamedByAddress)
      parts.push(bare === '' ? `[unknown]+0x${addressOf(profile, frame) || '0'}` : `[${bare}]+${inFile(profile, frame, mapping)}`);
    else parts.push(bare === '' ? '<unknown>' : `[${bare}]`);
  }
  const owner = packages.of(frame, spec.granularity === 'files');
  const called = functionOf(profile, frame);
  const ofFunction = (column: readonly number[]): number => (called < 0 ? 0 : get(column, called));
  return {
    name: parts.join(' '),
    full_name: spec.granularity === 'files' ? '' : text(profile, ofFunction(page.function.full_name)),
    file: text(profile, ofFunction(page.function.path)),
    line: id.line !== 0 ? id.line : ofFunction(page.function.start_line),
    object,
    package: owner.name,
    version: owner.version,
    kind: owner.kind,
  };
}

/** The address that other tools know code by which has no name (`in_file` of the server). */
function inFile(profile: Profile, frame: number, mapping: number): string {
  const hex = (digits: string | null | undefined): bigint => BigInt(`0x${digits ?? ''}` === '0x' ? '0' : `0x${digits ?? ''}`);
  const { start, offset, bias } = profile.page.mapping;
  const address = hex(addressOf(profile, frame));
  const moved = bias[mapping];
  if (typeof moved === 'string') {
    // Programs that are not position independent are linked for where they lie.
    const by = hex(moved);
    return `0x${(by < 1n << 28n ? address : BigInt.asUintN(64, address - by)).toString(16)}`;
  }
  return `0x${BigInt.asUintN(64, address - hex(start[mapping]) + hex(offset[mapping])).toString(16)}`;
}

export function baseName(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? '';
}

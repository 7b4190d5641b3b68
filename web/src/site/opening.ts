import type { Opened } from '../api/types';
import type { OpeningEvents, Sent } from '../api/upload';
import { createEngineClient, type EngineClient, type EngineWorker } from '../engine/client';
import type { EngineProgress, OpeningFile } from '../engine/messages';
import { withoutFiles, type OpenFileList } from './files';
import { openedOf, refusedOf, type Refusal } from './replies';

/** Result of opening files. */
export interface Outcome {
  /** The engine with `files`; undefined if none of them could be opened. */
  readonly engine: EngineClient | undefined;
  /** The files that are open in it. */
  readonly files: OpenFileList;
  /** What became of new files. */
  readonly sent: ReadonlyMap<File, Sent<Opened>>;
  /** About the whole, a sentence each. */
  readonly notes: readonly string[];
}

export interface OpeningParts {
  readonly startWorker: () => EngineWorker;
  readonly wasm: ArrayBuffer;
  /** The new files. */
  readonly given: readonly File[];
  readonly onProgress: OpeningEvents['onProgress'];
  readonly signal: AbortSignal;
}

/** Added dumps follow an empty name; see `engine/src/lib.rs`. */
const SEPARATOR: OpeningFile = { name: '', text: '' };

/**
 * Opens `files` in an engine of its own: dumps, then binaries, then names. New files that cannot be read are left out; so are new
 * binaries in which looking up names ends the engine. Rejects when `signal` aborts.
 */
export async function openAll(parts: OpeningParts, files: OpenFileList): Promise<Outcome> {
  const content = (list: readonly File[]): OpeningFile[] => list.map((file) => ({ name: file.name, file }));
  const added = files.added.length === 0 ? [] : [SEPARATOR, ...content(files.added)];
  const opening = { kind: 'open', wasm: parts.wasm, files: [...content(files.first), ...added] } as const;
  const engine = createEngineClient(parts.startWorker, opening, progressTo(parts));
  parts.signal.addEventListener('abort', engine.close);
  try {
    parts.signal.throwIfAborted();
    return await openIn(engine, parts, files);
  } catch (error) {
    engine.close();
    throw error;
  } finally {
    parts.signal.removeEventListener('abort', engine.close);
  }
}

async function openIn(engine: EngineClient, parts: OpeningParts, files: OpenFileList): Promise<Outcome> {
  const dumps = [...files.first, ...files.added];
  const { refused, failure } = await refusedOf(await engine.open());
  const problems = new Map<File, Refusal>();
  if (failure !== undefined) for (const file of blamed(parts, files)) problems.set(file, failure);
  for (const { file: at, error } of refused) {
    const file = dumps[at];
    if (file !== undefined) problems.set(file, { ok: false, message: error, hint: failure?.hint ?? '' });
  }
  const left = withoutFiles(files, new Set(problems.keys()));
  if (failure !== undefined) {
    engine.close();
    // Other new files may open without those.
    const rest = hasNew(parts, left) ? await openAll(parts, left) : { engine: undefined, files: left, sent: [], notes: [] };
    return { ...rest, sent: new Map([...problems, ...rest.sent]) };
  }
  const opened = [...left.first, ...left.added].map((file): [File, Sent<Opened>] => [file, OPENED]);
  const named = await nameIn(engine, parts, left);
  return { ...named, sent: new Map([...problems, ...opened, ...named.sent]) };
}

/** The files because of which nothing opens: new dumps, or if there are none, other new files. */
function blamed({ given }: OpeningParts, { first, added, binaries }: OpenFileList): readonly File[] {
  const dumps = [...first, ...added].filter((file) => given.includes(file));
  return dumps.length > 0 ? dumps : binaries.filter((file) => given.includes(file));
}

function hasNew({ given }: OpeningParts, { first, added, binaries }: OpenFileList): boolean {
  return [...first, ...added, ...binaries].some((file) => given.includes(file));
}

const OPENED: Sent<Opened> = { ok: true, value: { dumps: [], fits: [], notes: [] } };

/** Attaches the binaries and looks up names in them. */
async function nameIn(engine: EngineClient, parts: OpeningParts, files: OpenFileList): Promise<Outcome> {
  const sent = new Map<File, Sent<Opened>>();
  for (const file of files.binaries) {
    parts.onProgress(file, 0, 'reading');
    sent.set(file, misfit(await openedOf(await engine.attach(file)), files.first.length > 0));
  }
  const refused = new Set(files.binaries.filter((file) => sent.get(file)?.ok !== true));
  const left = withoutFiles(files, refused);
  const notes = [...sent].flatMap(([file, one]) => (one.ok ? one.value.notes : parts.given.includes(file) ? [] : [one.message]));
  if (left.binaries.length === 0 || left.first.length === 0) return { engine, files: left, sent, notes };
  const named = await openedOf(await engine.symbolize());
  if (named.ok) return { engine, files: left, sent, notes: [...notes, ...named.value.notes] };
  // Without the new binaries, or if there are none, without any.
  engine.close();
  const wrong = left.binaries.filter((file) => parts.given.includes(file));
  const without = withoutFiles(left, new Set(wrong.length > 0 ? wrong : left.binaries));
  const again = await openAll(parts, without);
  const warnings = wrong.length > 0 ? again.notes : [...again.notes, named.message];
  return {
    ...again,
    notes: warnings,
    sent: new Map([...sent, ...wrong.map((file): [File, Sent<Opened>] => [file, named]), ...again.sent]),
  };
}

/** The result for a binary; a failure if there is a profile that does not use it. */
function misfit(sent: Sent<Opened>, hasProfile: boolean): Sent<Opened> {
  const [note] = sent.ok && sent.value.fits.length === 0 ? sent.value.notes : [];
  return note !== undefined && hasProfile ? { ok: false, message: note, hint: '' } : sent;
}

/** Progress of the engine as that of the file that it is about: the one it names, or the one before. */
function progressTo({ given, onProgress }: OpeningParts): (progress: EngineProgress) => void {
  let current = given[0];
  return ({ text, done, total }) => {
    current = given.find(({ name }) => text.endsWith(` ${name}`)) ?? current;
    if (current === undefined) return;
    const what = text.endsWith(` ${current.name}`) ? text.slice(0, -current.name.length).trim() : text;
    onProgress(current, total > 0 ? done / total : 0, what.toLowerCase());
  };
}

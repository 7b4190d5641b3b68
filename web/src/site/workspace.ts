import type { Ask } from '../api/fetch';
import { isMeta } from '../api/guards';
import type { Meta, Opened } from '../api/types';
import type { OpenFiles, Sent } from '../api/upload';
import type { EngineClient, EngineWorker } from '../engine/client';
import { isBinary } from '../logic/files';
import { emptyMeta } from './empty-meta';
import { NO_FILES, withFiles } from './files';
import { openAll, type Outcome } from './opening';
import { REPORT_PATH, reportFile } from './report-file';

/**
 * Files that are open in the browser, answered by the engine in a worker: what the workspace of a server is for its page. Each
 * change opens all files in a worker of its own, which takes the place of the one before when that has succeeded: what is open
 * stays usable meanwhile, and also if a file is refused, ends the engine, or is cancelled.
 */
export interface Workspace {
  readonly ask: Ask;
  readonly openFiles: OpenFiles;
  /** Calls `onMeta` with the metadata as JSON, now and after each change; the returned function ends that. */
  readonly listen: (onMeta: (text: string) => void) => () => void;
  readonly meta: () => Meta;
}

interface Parts {
  readonly startWorker: () => EngineWorker;
  /** Loads a file of the site. */
  readonly load: (name: string) => Promise<ArrayBuffer>;
  /** Of heapview. */
  readonly version: string;
}

export function createWorkspace({ startWorker, load, version }: Parts): Workspace {
  const described = createDescription(version);
  const loadEngine = kept(() => load('heapview.wasm.zst'));
  let files = NO_FILES;
  let engine: EngineClient | undefined;

  /** Puts what was opened in the place of what is open; returns the numbers of dumps that were added. */
  const take = async (outcome: Outcome, isOther: boolean): Promise<readonly number[]> => {
    const [before, nBefore] = [engine, described.meta().dumps.length];
    const isEmpty = outcome.engine === undefined || outcome.files.first.length === 0;
    const next = isEmpty
      ? { ...emptyMeta(version), waiting: outcome.notes[0] ?? '' }
      : withWarnings(await metaOf(outcome.engine), outcome.notes);
    engine = outcome.engine;
    files = outcome.files;
    described.publish(next, isOther);
    // After the page dropped its questions.
    before?.close();
    return isOther || nBefore === 0 ? [] : next.dumps.map((_, dump) => dump).slice(nBefore);
  };
  const openNow = async (...[given, replace, { onProgress }, signal]: Parameters<OpenFiles>): Promise<Outcome['sent']> => {
    given.forEach((file) => {
      onProgress(file, 0, 'waiting');
    });
    const [binary, wasm] = await Promise.all([Promise.all(given.map(isBinary)), loadEngine()]);
    const list = withFiles(replace === undefined ? files : NO_FILES, given, binary);
    const outcome = await openAll({ startWorker, wasm, given, onProgress, signal }, list);
    if (!given.some((file) => outcome.sent.get(file)?.ok)) {
      outcome.engine?.close();
      return outcome.sent;
    }
    const dumps = await take(outcome, replace !== undefined);
    const last = given.findLast((file) => outcome.files.added.includes(file));
    const ofLast = last === undefined ? [] : [[last, { ok: true, value: { dumps: [...dumps], fits: [], notes: [] } }] as const];
    return new Map([...outcome.sent, ...ofLast]);
  };
  return {
    ...described,
    openFiles: inTurn(reported(openNow)),
    ask: (path, signal) => {
      if (path === '/api/v1/meta') return Promise.resolve(Response.json(described.meta()));
      if (path === '/api/v1/start') return Promise.resolve(Response.json({ folder: '', here: [], is_cut: false, recent: [] }));
      const now = engine;
      if (now !== undefined && path.startsWith(REPORT_PATH)) return reportFile(path, { load, ask: now.ask, meta: described.meta() });
      return now?.ask(path, signal) ?? Promise.resolve(Response.json({ error: 'no profile is open yet' }, { status: 409 }));
    },
  };
}

/** The metadata, and who listens to it. */
function createDescription(version: string) {
  let meta = emptyMeta(version);
  const listeners = new Set<(text: string) => void>();
  const listen: Workspace['listen'] = (onMeta) => {
    listeners.add(onMeta);
    onMeta(JSON.stringify(meta));
    return () => listeners.delete(onMeta);
  };
  const publish = (next: Meta, isOther: boolean): void => {
    const profile_number = (meta.profile_number ?? 0) + (isOther ? 1 : 0);
    const symbols = { ...next.symbols, generation: meta.symbols.generation + 1 };
    meta = { ...next, may_open: true, may_replace: true, room: Number.MAX_SAFE_INTEGER, profile_number, symbols };
    listeners.forEach((listener) => {
      listener(JSON.stringify(meta));
    });
  };
  return { meta: () => meta, listen, publish };
}

/** The result of `load`, loaded once; again if that failed. */
function kept<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return async () => {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
}

/** Reports the result of each file, also when `open` fails as a whole. */
function reported(open: (...task: Parameters<OpenFiles>) => Promise<Outcome['sent']>): OpenFiles {
  return async (...task) => {
    const [given, , { onEnd }, signal] = task;
    const failed = (message: string): Sent<Opened> => ({ ok: false, message, hint: '' });
    const sent = await open(...task).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    for (const file of given) {
      if (typeof sent !== 'string') onEnd(file, sent.get(file) ?? failed('not opened'));
      else onEnd(file, failed(signal.aborted ? 'cancelled' : sent));
    }
  };
}

/** Opens one after another: each begins with what is open then. */
function inTurn(open: OpenFiles): OpenFiles {
  let turn = Promise.resolve();
  return (...task) => {
    turn = turn.then(() => open(...task));
    return turn;
  };
}

function withWarnings(meta: Meta, warnings: readonly string[]): Meta {
  return { ...meta, warnings: [...new Set([...meta.warnings, ...warnings])] };
}

/** The engine's metadata. */
async function metaOf(engine: EngineClient): Promise<Meta> {
  const response = await engine.ask('/api/v1/meta');
  const meta: unknown = await response.json();
  if (!isMeta(meta)) throw new Error('the engine does not describe the profile');
  return meta;
}

import {
  isOutcome,
  isProgress,
  type EngineProgress,
  type EngineRequest,
  type Failure,
  type FollowUp,
  type Opening,
  type Outcome,
} from './messages';
import type { EngineReply } from './engine';

/** The engine in a worker, as the page asks it. */
export interface EngineClient {
  /** Opens the files. An answer other than 200 is an error of the API, which then answers every question. */
  open(): Promise<Response>;
  /** Answers a path of the API like a server. Rejects when `signal` aborts before the question is sent to the engine. */
  ask(path: string, signal?: AbortSignal): Promise<Response>;
  /** Attaches a binary or debug file: 200 and an `Opened`, 415 if it is not a binary, 422 if it is a damaged one. */
  attach(file: File): Promise<Response>;
  /** Looks up names in the attached files: 200 and an `Opened` whose notes say what is missing. */
  symbolize(): Promise<Response>;
  /** Ends the worker, whatever it does; all that was asked of it rejects. */
  close(): void;
}

/** As much of a worker as the client uses. */
export interface EngineWorker {
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
  onmessageerror: ((event: MessageEvent<unknown>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: EngineRequest): void;
  terminate(): void;
}

interface Job {
  /** What is asked; undefined: that the files are open. */
  readonly request: FollowUp | undefined;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (reply: EngineReply) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Asks one question at a time, since the engine answers one at a time: those that are aborted while they wait are never sent. After a
 * defect, or when memory is exhausted, the worker is dropped, and the next question starts another one.
 */
export function createEngineClient(
  start: () => EngineWorker,
  opening: Opening,
  onProgress: (progress: EngineProgress) => void = () => undefined,
): EngineClient {
  let worker: EngineWorker | undefined;
  /** The reply to `opening`; one other than 200 answers every question. */
  let opened: EngineReply | undefined;
  /** What another worker has to repeat: files that were attached, and whether names were looked up in them. */
  let repeated: readonly FollowUp[] = [];

  const closing = new AbortController();

  const stop = (): void => {
    worker?.terminate();
    worker = undefined;
  };
  const send = (to: EngineWorker, message: EngineRequest): Promise<Outcome> => outcomeOf(to, message, onProgress);
  const ensureOpen = async (): Promise<EngineReply> => {
    if (opened !== undefined && (worker !== undefined || opened.status !== OK)) return opened;
    worker = start();
    const outcome = await send(worker, opening);
    opened = outcome.kind === 'reply' ? outcome.reply : failed(outcome, 'cannot open the profile');
    if (opened.status !== OK) stop();
    // A file whose names end the engine is not attached again.
    const before = repeated;
    repeated = [];
    for (const request of before) if (worker !== undefined) await replyOf(worker, request);
    return opened;
  };
  const replyOf = async (to: EngineWorker, request: FollowUp): Promise<EngineReply> => {
    const outcome = await send(to, request);
    if (outcome.kind === 'failure') {
      stop();
      return failed(outcome, 'the engine failed');
    }
    if (outcome.reply.status === OK) repeated = withRequest(repeated, request);
    return outcome.reply;
  };
  const replyTo = async (request: FollowUp): Promise<EngineReply> => {
    const reply = await ensureOpen();
    return worker === undefined ? reply : replyOf(worker, request);
  };
  const queued = createQueue((request) => (request === undefined ? ensureOpen() : replyTo(request)), closing.signal);
  return {
    open: () => queued(),
    ask: (path, signal) => queued({ kind: 'answer', path }, signal),
    attach: (file) => queued({ kind: 'attach', file }),
    symbolize: () => queued({ kind: 'symbolize' }),
    close: () => {
      closing.abort();
      stop();
    },
  };
}

/** Asks `worker`, and waits for the outcome. */
function outcomeOf(worker: EngineWorker, message: EngineRequest, onProgress: (progress: EngineProgress) => void): Promise<Outcome> {
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => {
      if (isProgress(data)) onProgress(data);
      else resolve(isOutcome(data) ? data : failure('the worker sent something else'));
    };
    worker.onmessageerror = () => {
      resolve(failure('the worker sent something else'));
    };
    worker.onerror = ({ message }) => {
      resolve(failure(message || 'the worker ended'));
    };
    worker.postMessage(message);
  });
}

/** What another worker has to repeat after `request` too. Names are looked up in all attached files each time. */
function withRequest(before: readonly FollowUp[], request: FollowUp): readonly FollowUp[] {
  if (request.kind === 'answer') return before;
  return [...before.filter(({ kind }) => kind === 'attach' || kind !== request.kind), request];
}

/** Runs one job at a time; those that are aborted while they wait are never run, and none is after `closing` aborted. */
function createQueue(
  run: (request: FollowUp | undefined) => Promise<EngineReply>,
  closing: AbortSignal,
): (request?: FollowUp, signal?: AbortSignal) => Promise<Response> {
  const waiting: Job[] = [];
  const ended = new Promise<never>((_, reject) => {
    closing.addEventListener('abort', () => {
      reject(closing.reason);
    });
  });
  // Nothing may wait when the engine ends.
  ended.catch(() => undefined);
  let isRunning = false;
  const work = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      if (job.signal?.aborted === true) job.reject(job.signal.reason);
      else if (closing.aborted) job.reject(closing.reason);
      else await Promise.race([run(job.request), ended]).then(job.resolve, job.reject);
    }
    isRunning = false;
  };
  return async (request, signal) =>
    response(
      await new Promise<EngineReply>((resolve, reject) => {
        waiting.push({ request, signal, resolve, reject });
        void work();
      }),
    );
}

const OK = 200;
const JSON_TYPE = 'application/json';

function failure(message: string): Failure {
  return { kind: 'failure', message, isOutOfMemory: false };
}

/** An error of the API for an engine that ended. */
function failed({ message, isOutOfMemory }: Failure, what: string): EngineReply {
  const hint = isOutOfMemory
    ? 'open the profile with the program heapview, which can use more memory than a browser'
    : 'this is a bug in heapview; please report it with the address of this page';
  const body = new TextEncoder().encode(JSON.stringify({ error: `${what}: ${message}`, field: '', hint }));
  return { status: 500, contentType: JSON_TYPE, fileName: '', body };
}

function response({ status, contentType, fileName, body }: EngineReply): Response {
  const headers = new Headers({ 'content-type': contentType });
  if (fileName !== '') headers.set('content-disposition', `attachment; filename="${fileName}"`);
  return new Response(body, { status, headers });
}

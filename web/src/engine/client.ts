import { isOutcome, type Failure, type Opening, type Outcome, type Question } from './messages';
import type { EngineReply } from './engine';

/** The engine in a worker, as the page asks it. */
export interface EngineClient {
  /** Opens the files. An answer other than 200 is an error of the API, which then answers every question. */
  open(): Promise<Response>;
  /** Answers a path of the API like a server. Rejects when `signal` aborts before the question is sent to the engine. */
  ask(path: string, signal?: AbortSignal): Promise<Response>;
}

/** As much of a worker as the client uses. */
export interface EngineWorker {
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
  onmessageerror: ((event: MessageEvent<unknown>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: Opening | Question): void;
  terminate(): void;
}

interface Job {
  /** What is asked; undefined: that the files are open. */
  readonly path: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (reply: EngineReply) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Asks one question at a time, since the engine answers one at a time: those that are aborted while they wait are never sent. After a
 * defect, or when memory is exhausted, the worker is dropped, and the next question starts another one.
 */
export function createEngineClient(start: () => EngineWorker, opening: Opening): EngineClient {
  let worker: EngineWorker | undefined;
  /** The reply to `opening`; one other than 200 answers every question. */
  let opened: EngineReply | undefined;
  const waiting: Job[] = [];
  let isRunning = false;

  const stop = (): void => {
    worker?.terminate();
    worker = undefined;
  };
  const send = (to: EngineWorker, message: Opening | Question): Promise<Outcome> =>
    new Promise((resolve) => {
      to.onmessage = ({ data }) => {
        resolve(isOutcome(data) ? data : failure('the worker sent something else'));
      };
      to.onmessageerror = () => {
        resolve(failure('the worker sent something else'));
      };
      to.onerror = ({ message }) => {
        resolve(failure(message || 'the worker ended'));
      };
      to.postMessage(message);
    });
  const ensureOpen = async (): Promise<EngineReply> => {
    if (opened !== undefined && (worker !== undefined || opened.status !== OK)) return opened;
    worker = start();
    const outcome = await send(worker, opening);
    opened = outcome.kind === 'reply' ? outcome.reply : failed(outcome, 'cannot open the profile');
    if (opened.status !== OK) stop();
    return opened;
  };
  const replyTo = async (path: string): Promise<EngineReply> => {
    const reply = await ensureOpen();
    if (worker === undefined) return reply;
    const outcome = await send(worker, { kind: 'answer', path });
    if (outcome.kind === 'reply') return outcome.reply;
    stop();
    return failed(outcome, 'the engine failed');
  };
  const work = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      if (job.signal?.aborted === true) job.reject(job.signal.reason);
      else await (job.path === undefined ? ensureOpen() : replyTo(job.path)).then(job.resolve, job.reject);
    }
    isRunning = false;
  };
  const queued = async (path?: string, signal?: AbortSignal): Promise<Response> =>
    response(
      await new Promise<EngineReply>((resolve, reject) => {
        waiting.push({ path, signal, resolve, reject });
        void work();
      }),
    );
  return { open: () => queued(), ask: queued };
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

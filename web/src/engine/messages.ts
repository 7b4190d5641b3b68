import type { EngineReply } from './engine';

/** What the page and the worker of the engine send each other: one request at a time, each with one outcome. */

/** Starts the engine and opens files; the first message to a worker. */
export interface Opening {
  readonly kind: 'open';
  /** The engine's WebAssembly: compiled, as Zstandard in base 85, or a file of it, in Zstandard or not. */
  readonly wasm: WebAssembly.Module | ArrayBuffer | string;
  /** Dumps, or one report; none: the engine starts without a profile. */
  readonly files: readonly OpeningFile[];
}

export type OpeningFile = { readonly name: string; readonly text: string } | { readonly name: string; readonly file: Blob };

/**
 * Attaches a binary or debug file to the engine, which reads parts of it when `symbolize` needs them. The reply is an `Opened` of
 * the API; status 415: the file is not a binary, 422: it is a damaged one.
 */
export interface Attaching {
  readonly kind: 'attach';
  readonly file: File;
}

/** Looks up names for the addresses of the open profile in the attached files. The reply is an `Opened` of the API. */
export interface Symbolizing {
  readonly kind: 'symbolize';
}

/** Progress of long work, sent by the worker at any time before the outcome, at most every 100 ms. */
export interface EngineProgress {
  readonly kind: 'progress';
  /** What is done now, such as "Reading shop.heap". */
  readonly text: string;
  /** Of `total`; both 0 if unknown. */
  readonly done: number;
  readonly total: number;
}

export interface Question {
  readonly kind: 'answer';
  readonly path: string;
}

/** What is asked of an engine that has started. */
export type FollowUp = Question | Attaching | Symbolizing;

export type EngineRequest = Opening | FollowUp;

export type Outcome = { readonly kind: 'reply'; readonly reply: EngineReply } | Failure;

/** The engine ended: by a defect or because memory is exhausted. The worker must be dropped. */
export interface Failure {
  readonly kind: 'failure';
  readonly message: string;
  readonly isOutOfMemory: boolean;
}

function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null ? Reflect.get(message, 'kind') : undefined;
}

export function isOpening(message: unknown): message is Opening {
  return kindOf(message) === 'open';
}

export function isQuestion(message: unknown): message is Question {
  return kindOf(message) === 'answer';
}

export function isAttaching(message: unknown): message is Attaching {
  return kindOf(message) === 'attach';
}

export function isSymbolizing(message: unknown): message is Symbolizing {
  return kindOf(message) === 'symbolize';
}

export function isProgress(message: unknown): message is EngineProgress {
  return kindOf(message) === 'progress';
}

export function isOutcome(message: unknown): message is Outcome {
  return kindOf(message) === 'reply' || kindOf(message) === 'failure';
}

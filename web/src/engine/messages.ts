import type { EngineReply } from './engine';

/** What the page and the worker of the engine send each other: one question at a time, each with one outcome. */

/** Starts the engine and opens files; the first message to a worker. */
export interface Opening {
  readonly kind: 'open';
  /** The engine's WebAssembly: Zstandard in base 85. */
  readonly wasm: string;
  readonly files: readonly OpeningFile[];
}

export interface OpeningFile {
  readonly name: string;
  readonly text: string;
}

export interface Question {
  readonly kind: 'answer';
  readonly path: string;
}

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

export function isOutcome(message: unknown): message is Outcome {
  return kindOf(message) === 'reply' || kindOf(message) === 'failure';
}

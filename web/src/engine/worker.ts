import { decompress } from 'fzstd';
import { fromBase85 } from './base85';
import { Engine, EngineError, fileOf, type EngineFile, type EngineReply } from './engine';
import {
  isAttaching,
  isOpening,
  isQuestion,
  isSymbolizing,
  type EngineProgress,
  type Opening,
  type OpeningFile,
  type Outcome,
} from './messages';

/** Runs the engine off the main thread. */

let engine: Engine | undefined;
/** By the engine's number. */
let attached: File[] = [];

/** Bytes of a file that are read at once. */
const PIECE = 1 << 22;

addEventListener('message', (event: MessageEvent<unknown>) => {
  void outcomeOf(event.data).then((outcome) => {
    postMessage(outcome, { transfer: outcome.kind === 'reply' ? [outcome.reply.body.buffer] : [] });
  });
});

async function outcomeOf(message: unknown): Promise<Outcome> {
  try {
    return { kind: 'reply', reply: await replyTo(message) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return {
      kind: 'failure',
      message: text,
      isOutOfMemory: error instanceof RangeError || (error instanceof EngineError && error.isOutOfMemory),
    };
  }
}

async function replyTo(message: unknown): Promise<EngineReply> {
  if (isOpening(message)) return open(message);
  if (engine !== undefined) {
    if (isQuestion(message)) return engine.answer(message.path);
    if (isSymbolizing(message)) return engine.symbolize();
    if (isAttaching(message)) {
      attached.push(message.file);
      return engine.attach(message.file.name, message.file.size);
    }
  }
  throw new Error('the engine is not open');
}

async function open({ wasm, files }: Opening): Promise<EngineReply> {
  const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(unpacked(wasm));
  const [secret = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  attached = [];
  engine = new Engine(module, secret, { read, progress });
  if (files.length === 0) return { status: 200, contentType: 'application/json', fileName: '', body: new Uint8Array() };
  return engine.open(files.map(engineFile));
}

/** First bytes of WebAssembly: a server may have declared the file as compressed, and then the browser unpacked it. */
const WASM = '\0asm';

function unpacked(wasm: ArrayBuffer | string): BufferSource {
  const bytes = typeof wasm === 'string' ? fromBase85(wasm) : new Uint8Array(wasm);
  const isPlain = String.fromCharCode(...bytes.subarray(0, WASM.length)) === WASM;
  return isPlain ? bytes : new Uint8Array(decompress(bytes));
}

/** Only in workers; the library of types for pages does not have it. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

const encoder = new TextEncoder();
const reader = new FileReaderSync();

function engineFile(file: OpeningFile): EngineFile {
  return 'text' in file
    ? fileOf(file.name, encoder.encode(file.text))
    : { name: file.name, size: file.file.size, pieces: pieces(file.name, file.file) };
}

/** The bytes of a file, of which only some are in memory at a time. */
function* pieces(name: string, file: Blob): Generator<Uint8Array> {
  for (let at = 0; at < file.size; at += PIECE) {
    report({ text: `Reading ${name}`, done: at, total: file.size });
    yield slice(file, at, PIECE);
  }
}

function slice(file: Blob, offset: number, length: number): Uint8Array {
  return new Uint8Array(reader.readAsArrayBuffer(file.slice(offset, offset + length)));
}

function read(file: number, offset: number, into: Uint8Array): number {
  const source = attached[file];
  if (source === undefined) return 0;
  const bytes = slice(source, offset, into.length);
  into.set(bytes);
  return bytes.length;
}

/** Milliseconds between two messages of progress. */
const PACE = 100;
let reported = { text: '', at: 0 };

function report(progress: Omit<EngineProgress, 'kind'>): void {
  const now = performance.now();
  // What begins is reported at once: it may take long.
  if (progress.text === reported.text && now - reported.at < PACE) return;
  reported = { text: progress.text, at: now };
  postMessage({ kind: 'progress', ...progress } satisfies EngineProgress);
}

function progress(json: string): void {
  const { text, done, total }: Partial<EngineProgress> = JSON.parse(json);
  report({ text: text ?? '', done: done ?? 0, total: total ?? 0 });
}

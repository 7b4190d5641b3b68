import { decompress } from 'fzstd';
import { fromBase85 } from './base85';
import { Engine, EngineError, fileOf, type EngineReply } from './engine';
import { isOpening, isQuestion, type Opening, type Outcome } from './messages';

/** Runs the engine off the main thread. */

let engine: Engine | undefined;

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
  if (isQuestion(message) && engine !== undefined) return engine.answer(message.path);
  throw new Error('the engine is not open');
}

async function open({ wasm, files }: Opening): Promise<EngineReply> {
  const module = await WebAssembly.compile(new Uint8Array(decompress(fromBase85(wasm))));
  const [secret = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  engine = new Engine(module, secret);
  const encoder = new TextEncoder();
  return engine.open(files.map(({ name, text }) => fileOf(name, encoder.encode(text))));
}

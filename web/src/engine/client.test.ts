import { describe, expect, it } from 'vitest';
import { createEngineClient, type EngineClient, type EngineWorker } from './client';
import { isOpening, isQuestion, type EngineProgress, type EngineRequest, type Outcome } from './messages';

/** A worker of the test, which answers by `answer`. */
class TestWorker implements EngineWorker {
  onmessage: EngineWorker['onmessage'] = null;
  onerror: EngineWorker['onerror'] = null;
  onmessageerror: EngineWorker['onmessageerror'] = null;
  isTerminated = false;

  constructor(readonly answer: (path: string | undefined) => Outcome | 'dies') {}

  postMessage(message: EngineRequest): void {
    const path = isQuestion(message) ? message.path : isOpening(message) ? undefined : message.kind;
    const outcome = this.answer(path);
    queueMicrotask(() => {
      if (outcome === 'dies')
        this.onerror?.(Object.assign(new Event('error'), { message: '', filename: '', lineno: 0, colno: 0, error: null }));
      else {
        const progress: EngineProgress = { kind: 'progress', text: `at ${path ?? 'open'}`, done: 1, total: 2 };
        this.onmessage?.(new MessageEvent('message', { data: progress }));
        this.onmessage?.(new MessageEvent('message', { data: outcome }));
      }
    });
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

function reply(status: number, text: string, fileName = ''): Outcome {
  return { kind: 'reply', reply: { status, contentType: 'text/plain', fileName, body: new TextEncoder().encode(text) } };
}

function failure(message: string, isOutOfMemory = false): Outcome {
  return { kind: 'failure', message, isOutOfMemory };
}

/** A client, what its workers were asked, and the workers. */
function started(answer: (path: string | undefined, nth: number) => Outcome | 'dies'): {
  readonly client: EngineClient;
  readonly asked: (string | undefined)[];
  readonly workers: TestWorker[];
  readonly reported: string[];
} {
  const [asked, workers]: [(string | undefined)[], TestWorker[]] = [[], []];
  const reported: string[] = [];
  const start = (): TestWorker => {
    const nth = workers.length;
    const worker = new TestWorker((path) => {
      asked.push(path);
      return answer(path, nth);
    });
    workers.push(worker);
    return worker;
  };
  const client = createEngineClient(start, { kind: 'open', wasm: '', files: [] }, ({ text }) => reported.push(text));
  return { client, asked, workers, reported };
}

describe('createEngineClient', () => {
  it('opens once, and answers like a server', async () => {
    const { client, asked } = started((path) => (path === undefined ? reply(200, '') : reply(404, path, 'a.txt')));
    expect((await client.open()).status).toBe(200);
    const response = await client.ask('/api/v1/top');
    expect([response.status, await response.text()]).toEqual([404, '/api/v1/top']);
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="a.txt"');
    expect(asked).toEqual([undefined, '/api/v1/top']);
  });

  it('asks one question at a time and drops those that were aborted', async () => {
    const { client, asked } = started((path) => reply(200, path ?? ''));
    const abort = new AbortController();
    const answers = [client.ask('a'), client.ask('b', abort.signal), client.ask('c')];
    abort.abort();
    const settled = await Promise.allSettled(answers);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(asked).toEqual([undefined, 'a', 'c']);
  });

  it('reports a defect and goes on with another worker', async () => {
    const { client, asked, workers } = started((path, nth) => (path === 'bad' && nth === 0 ? failure('index 7 of 5') : reply(200, '')));
    const [bad, good] = await Promise.all([client.ask('bad'), client.ask('good')]);
    expect(bad.status).toBe(500);
    expect(await bad.json()).toMatchObject({
      error: 'the engine failed: index 7 of 5',
      hint: expect.stringContaining('a bug in heapview'),
    });
    expect(good.status).toBe(200);
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
    expect(asked).toEqual([undefined, 'bad', undefined, 'good']);
  });

  it('says what to do when memory is exhausted', async () => {
    const { client } = started((path) => (path === undefined ? reply(200, '') : failure('not enough memory', true)));
    expect(await (await client.ask('a')).json()).toMatchObject({ hint: expect.stringContaining('more memory than a browser') });
  });

  it('survives a worker that dies', async () => {
    const { client } = started((path, nth) => (path === 'a' && nth === 0 ? 'dies' : reply(200, '')));
    expect((await client.ask('a')).status).toBe(500);
    expect((await client.ask('a')).status).toBe(200);
  });

  it('answers every question by the refusal when the files cannot be opened', async () => {
    const { client, asked, workers } = started(() => reply(422, 'cannot read x'));
    expect((await client.open()).status).toBe(422);
    expect(await (await client.ask('a')).text()).toBe('cannot read x');
    expect([asked.length, workers[0]?.isTerminated]).toEqual([1, true]);
  });

  it('attaches files and reports progress', async () => {
    const { client, asked, reported } = started(() => reply(200, '{}'));
    const replies = await Promise.all([client.attach(new File([], 'shop')), client.symbolize()]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(asked).toEqual([undefined, 'attach', 'symbolize']);
    expect(reported).toEqual(['at open', 'at attach', 'at symbolize']);
  });

  it('gives another worker the names that the one before had, but not what ended it', async () => {
    const { client, asked } = started((path, nth) => (path === 'bad' && nth === 0 ? failure('index 7 of 5') : reply(200, '')));
    await client.attach(new File([], 'shop'));
    await client.symbolize();
    await client.attach(new File([], 'libpantry.so'));
    await client.symbolize();
    await client.ask('bad');
    asked.length = 0;
    await client.ask('good');
    expect(asked).toEqual([undefined, 'attach', 'attach', 'symbolize', 'good']);
  });

  it('looks names up no more in files that end the engine', async () => {
    const { client, asked } = started((path) => (path === 'symbolize' ? failure('index 7 of 5') : reply(200, '')));
    await client.attach(new File([], 'shop'));
    expect((await client.symbolize()).status).toBe(500);
    asked.length = 0;
    expect((await client.ask('good')).status).toBe(200);
    expect(asked).toEqual([undefined, 'attach', 'good']);
  });
});

import { describe, expect, it } from 'vitest';
import type { Meta } from '../api/types';
import type { Sent } from '../api/upload';
import type { EngineWorker } from '../engine/client';
import { isAttaching, isOpening, isQuestion, isSymbolizing, type EngineRequest, type Outcome } from '../engine/messages';
import { emptyMeta } from './empty-meta';
import { createWorkspace, type Workspace } from './workspace';

const ELF = '\x7fELF';

function file(name: string, content = 'heap profile'): File {
  return new File([content], name);
}

/** An engine that opens everything but files named `bad…`, and ends in dumps named `huge…` and in names of binaries named `fatal…`. */
class TestEngine implements EngineWorker {
  onmessage: EngineWorker['onmessage'] = null;
  onerror: EngineWorker['onerror'] = null;
  onmessageerror: EngineWorker['onmessageerror'] = null;
  isTerminated = false;
  readonly dumps: string[] = [];
  readonly binaries: string[] = [];
  isNamed = false;

  postMessage(message: EngineRequest): void {
    queueMicrotask(() => {
      if (this.isTerminated) return;
      this.onmessage?.(new MessageEvent('message', { data: this.answer(message) }));
    });
  }

  terminate(): void {
    this.isTerminated = true;
  }

  answer(message: EngineRequest): Outcome {
    if (isOpening(message)) {
      if (message.files.some(({ name }) => name.startsWith('huge')))
        return { kind: 'failure', message: 'not enough memory', isOutOfMemory: true };
      const names = message.files.map(({ name }) => name).filter((name) => name !== '');
      const refused = names.flatMap((name, i) => (name.startsWith('bad') ? [{ file: i, error: `cannot read ${name}` }] : []));
      this.dumps.push(...names.filter((name) => !name.startsWith('bad')));
      if (names.length > 0 && this.dumps.length === 0) return reply(422, { error: refused[0]?.error, hint: 'open a dump', refused });
      return reply(200, { refused });
    }
    if (isAttaching(message)) {
      this.binaries.push(message.file.name);
      return reply(200, { dumps: [], fits: [message.file.name], notes: [`${message.file.name} is a program`] });
    }
    if (isSymbolizing(message)) {
      const fatal = this.binaries.find((name) => name.startsWith('fatal'));
      if (fatal !== undefined) return { kind: 'failure', message: `names of ${fatal}`, isOutOfMemory: false };
      this.isNamed = true;
      return reply(200, { dumps: [], fits: [], notes: [] });
    }
    if (isQuestion(message) && message.path === '/api/v1/meta') {
      const dumps = this.dumps.map((name) => ({ name }));
      return reply(200, { ...emptyMeta('1'), dumps, file: this.isNamed ? this.binaries.join() : '' });
    }
    return reply(404, {});
  }
}

function reply(status: number, body: unknown): Outcome {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return { kind: 'reply', reply: { status, contentType: 'application/json', fileName: '', body: bytes } };
}

function started(): { readonly workspace: Workspace; readonly engines: TestEngine[]; readonly heard: string[] } {
  const engines: TestEngine[] = [];
  const startWorker = (): TestEngine => {
    const engine = new TestEngine();
    engines.push(engine);
    return engine;
  };
  const workspace = createWorkspace({ startWorker, load: () => Promise.resolve(new ArrayBuffer(8)), version: '1' });
  const heard: string[] = [];
  workspace.listen((text) => heard.push(text));
  return { workspace, engines, heard };
}

/** Opens files; the result of each by name. */
async function open(
  workspace: Workspace,
  files: readonly File[],
  { replace, signal = new AbortController().signal }: { readonly replace?: number; readonly signal?: AbortSignal } = {},
): Promise<Record<string, Sent<unknown>>> {
  const results: Record<string, Sent<unknown>> = {};
  const onEnd = ({ name }: File, sent: Sent<unknown>): void => {
    expect(results[name]).toBe(undefined);
    results[name] = sent;
  };
  await workspace.openFiles(files, replace, { onProgress: () => undefined, onEnd }, signal);
  return results;
}

function names({ dumps }: Meta): readonly string[] {
  return dumps.map(({ name }) => name);
}

describe('createWorkspace', () => {
  it('opens dumps that are dropped together as one profile, with names from binaries', async () => {
    const { workspace, engines, heard } = started();
    expect((await workspace.ask('/api/v1/top', new AbortController().signal)).status).toBe(409);
    const results = await open(workspace, [file('shop', ELF), file('a.heap'), file('b.heap')]);
    expect(Object.values(results).map(({ ok }) => ok)).toEqual([true, true, true]);
    expect([names(workspace.meta()), workspace.meta().file]).toEqual([['a.heap', 'b.heap'], 'shop']);
    expect([engines.length, heard.length]).toEqual([1, 2]);
    expect(workspace.meta().may_open).toBe(true);
  });

  it('adds a dump beside what is open, and reports its number', async () => {
    const { workspace, engines } = started();
    await open(workspace, [file('a.heap')]);
    const { generation } = workspace.meta().symbols;
    const results = await open(workspace, [file('c.heap')]);
    expect(results['c.heap']).toMatchObject({ ok: true, value: { dumps: [1] } });
    expect([names(workspace.meta()), workspace.meta().profile_number]).toEqual([['a.heap', 'c.heap'], 0]);
    expect(workspace.meta().symbols.generation).toBeGreaterThan(generation);
    expect(engines.map(({ isTerminated }) => isTerminated)).toEqual([true, false]);
  });

  it('keeps what is open when files are refused', async () => {
    const { workspace, engines } = started();
    const refused = await open(workspace, [file('bad.txt')]);
    expect(refused['bad.txt']).toEqual({ ok: false, message: 'cannot read bad.txt', hint: 'open a dump' });
    expect(names(workspace.meta())).toEqual([]);
    await open(workspace, [file('a.heap')]);
    const results = await open(workspace, [file('bad.txt'), file('b.heap')]);
    expect([results['bad.txt']?.ok, results['b.heap']?.ok]).toEqual([false, true]);
    expect(names(workspace.meta())).toEqual(['a.heap', 'b.heap']);
    // It is not opened again.
    await open(workspace, [file('c.heap')]);
    expect(engines.at(-1)?.dumps).toEqual(['a.heap', 'b.heap', 'c.heap']);
  });

  it('opens what can be opened when a binary ends the engine', async () => {
    const { workspace, engines } = started();
    await open(workspace, [file('a.heap'), file('shop', ELF)]);
    const results = await open(workspace, [file('fatal', ELF)]);
    expect(results['fatal']).toMatchObject({ ok: false, message: expect.stringContaining('names of fatal') });
    const both = await open(workspace, [file('fatal', ELF), file('b.heap')]);
    expect([both['fatal']?.ok, both['b.heap']?.ok]).toEqual([false, true]);
    expect([names(workspace.meta()), workspace.meta().file]).toEqual([['a.heap', 'b.heap'], 'shop']);
    expect(engines.filter(({ isTerminated }) => !isTerminated).length).toBe(1);
  });

  it('opens what can be opened when a dump ends the engine', async () => {
    const { workspace } = started();
    await open(workspace, [file('a.heap')]);
    const results = await open(workspace, [file('huge.heap'), file('shop', ELF)]);
    expect(results['huge.heap']).toMatchObject({ ok: false, message: expect.stringContaining('not enough memory') });
    expect([results['shop']?.ok, names(workspace.meta()), workspace.meta().file]).toEqual([true, ['a.heap'], 'shop']);
    expect((await open(workspace, [file('huge.heap')], { replace: 0 }))['huge.heap']?.ok).toBe(false);
    expect(names(workspace.meta())).toEqual(['a.heap']);
  });

  it('keeps a program for the dump that comes after it', async () => {
    const { workspace } = started();
    await open(workspace, [file('shop', ELF), file('bad.txt')]);
    expect([workspace.meta().waiting, names(workspace.meta())]).toEqual(['shop is a program', []]);
    await open(workspace, [file('a.heap')]);
    expect([workspace.meta().waiting ?? '', workspace.meta().file]).toEqual(['', 'shop']);
  });

  it('opens another profile in place of the open one', async () => {
    const { workspace } = started();
    await open(workspace, [file('a.heap'), file('shop', ELF)]);
    await open(workspace, [file('z.heap')], { replace: 0 });
    expect([names(workspace.meta()), workspace.meta().file, workspace.meta().profile_number]).toEqual([['z.heap'], '', 1]);
  });

  it('changes nothing when opening is cancelled', async () => {
    const { workspace, engines } = started();
    await open(workspace, [file('a.heap')]);
    const cancelling = new AbortController();
    const opening = open(workspace, [file('b.heap')], { signal: cancelling.signal });
    cancelling.abort();
    expect((await opening)['b.heap']?.ok).toBe(false);
    expect(names(workspace.meta())).toEqual(['a.heap']);
    expect(engines.filter(({ isTerminated }) => !isTerminated).length).toBe(1);
    expect((await open(workspace, [file('b.heap')]))['b.heap']?.ok).toBe(true);
  });

  it('says why the engine could not be loaded, and loads it again', async () => {
    let isOnline = false;
    const workspace = createWorkspace({
      startWorker: () => new TestEngine(),
      load: () => (isOnline ? Promise.resolve(new ArrayBuffer(8)) : Promise.reject(new Error('no network'))),
      version: '1',
    });
    expect(await open(workspace, [file('a.heap')])).toEqual({ 'a.heap': { ok: false, message: 'no network', hint: '' } });
    isOnline = true;
    expect((await open(workspace, [file('a.heap')]))['a.heap']?.ok).toBe(true);
  });
});

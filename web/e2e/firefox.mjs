import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Firefox of the machine by WebDriver BiDi, its own protocol: JSON over a WebSocket. Playwright needs a build of its own, and drivers
 * such as geckodriver are in no package registry.
 */

const CANDIDATES = [process.env['FIREFOX'] ?? '', '/usr/bin/firefox-esr', '/usr/bin/firefox'];
export const firefox = CANDIDATES.find((path) => path !== '' && existsSync(path)) ?? '';

/** Reason to skip journeys in Firefox; false: there is one. */
export const withoutFirefox =
  firefox === ''
    ? 'no Firefox here: install firefox-esr, or set FIREFOX'
    : !('WebSocket' in globalThis)
      ? 'this Node has no WebSocket: use npm run e2e'
      : false;

/** A page in Firefox. */
export class FirefoxPage {
  #send;
  #context;

  /** @param {(method: string, params: object) => Promise<any>} send @param {string} context */
  constructor(send, context) {
    this.#send = send;
    this.#context = context;
  }

  /** @param {string} url */
  async goto(url) {
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  async reload() {
    await this.#send('browsingContext.reload', { context: this.#context, wait: 'complete' });
  }

  /** Value of an expression, or of its promise, as JSON. @param {string} expression @returns {Promise<unknown>} */
  async evaluate(expression) {
    const text = `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`;
    const answer = await this.#send('script.evaluate', { expression: text, target: { context: this.#context }, awaitPromise: true });
    if (answer.type !== 'success') throw new Error(`${expression}: ${answer.exceptionDetails?.text}`);
    return JSON.parse(answer.result.value);
  }

  /** Waits until an expression is true. @param {string} expression */
  async until(expression) {
    for (const end = Date.now() + 60_000; Date.now() < end;) {
      // The page may be between two documents.
      if ((await this.evaluate(expression).catch(() => false)) === true) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`not true in time: ${expression}\n${String(await this.evaluate('document.body.innerText'))}`);
  }

  /** Chooses files in an input. @param {string} selector @param {string[]} files */
  async choose(selector, files) {
    const { nodes } = await this.#send('browsingContext.locateNodes', {
      context: this.#context,
      locator: { type: 'css', value: selector },
    });
    await this.#send('input.setFiles', { context: this.#context, element: { sharedId: nodes[0].sharedId }, files });
  }

  /** The visible part as PNG. @returns {Promise<Buffer>} */
  async screenshot() {
    const { data } = await this.#send('browsingContext.captureScreenshot', { context: this.#context });
    return Buffer.from(data, 'base64');
  }
}

/** Runs a journey in a fresh profile of Firefox. @param {(page: FirefoxPage) => Promise<void>} journey */
export async function inFirefox(journey) {
  const profile = await mkdtemp(join(tmpdir(), 'heapview-firefox-'));
  const child = spawn(firefox, ['--headless', '--no-remote', '--remote-debugging-port=0', '--profile', profile], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const address = await listening(child.stderr);
    const send = await connected(`${address}/session`);
    await send('session.new', { capabilities: {} });
    const { context } = await send('browsingContext.create', { type: 'tab' });
    await journey(new FirefoxPage(send, context));
  } finally {
    child.kill();
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {import('node:stream').Readable} output @returns {Promise<string>} */
function listening(output) {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: output });
    lines.on('line', (line) => {
      const address = /ws:\/\/\S+/.exec(line)?.[0];
      if (address !== undefined) resolve(address.replace(/\/$/, ''));
    });
    lines.on('close', () => {
      reject(new Error('Firefox ended before it listened'));
    });
  });
}

/** @param {string} address @returns {Promise<(method: string, params: object) => Promise<any>>} */
function connected(address) {
  /** @type {Map<number, { resolve: (result: unknown) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  const socket = new WebSocket(address);
  let last = 0;
  socket.addEventListener('message', (event) => {
    const { id, type, result, error, message } = JSON.parse(String(event.data));
    const job = waiting.get(id);
    waiting.delete(id);
    if (type === 'success') job?.resolve(result);
    else if (type === 'error') job?.reject(new Error(`${error}: ${message}`));
  });
  const send = (/** @type {string} */ method, /** @type {object} */ params) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => {
      resolve(send);
    });
    socket.addEventListener('error', () => {
      reject(new Error(`no connection to ${address}`));
    });
  });
}

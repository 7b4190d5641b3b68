import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { idle } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

export const program = process.env['HEAPVIEW_BIN'] ?? '';
export const testdata = process.env['HEAPVIEW_TESTDATA'] ?? '';

/**
 * Writes a site below a folder that python serves; `url` ends in `/`.
 * @param {(at: { url: string, folder: string, stop: () => Promise<void> }) => Promise<void>} use
 * @param {string} below path of the site on the server
 */
export async function served(use, below = 'tools/heap') {
  const root = await mkdtemp(join(tmpdir(), 'heapview-site-'));
  const folder = join(root, below);
  const { status, stderr } = spawnSync(program, ['site', '-o', folder], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const server = spawn('python3', ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '-d', root], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill();
    await ended;
  };
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const port = /port (\d+)/.exec(line)?.[1];
      if (port === undefined) continue;
      const url = `http://127.0.0.1:${port}/${below === '' ? '' : `${below}/`}`;
      await use({ url, folder, stop });
      break;
    }
  } finally {
    await stop();
    await rm(root, { recursive: true });
  }
}

/**
 * Opens a page in Chromium and loads the site at `url`; fails when the page asks anything outside of the site, or logs an error.
 * @param {string} url
 * @param {(page: Page) => Promise<void>} journey
 * @param {{ dark?: boolean, width?: number, mayFail?: RegExp }} options `mayFail`: errors that the browser logs and that are expected
 */
export async function onSite(url, journey, { dark = false, width = 1440, mayFail = /^$/ } = {}) {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: dark ? 'dark' : 'light' });
    await context.addInitScript(() => {
      if (window.localStorage.getItem('heapview.show') === null) window.localStorage.setItem('heapview.show', 'all');
    });
    const page = await context.newPage();
    /** @type {string[]} */
    const wrong = [];
    context.on('request', (request) => {
      if (!request.url().startsWith(url) && !/^(blob|data):/.test(request.url())) wrong.push(`asked ${request.url()}`);
    });
    page.on('pageerror', (error) => wrong.push(String(error.stack)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !mayFail.test(message.text())) wrong.push(message.text());
    });
    await page.goto(url);
    await idle(page);
    await journey(page);
    assert.deepEqual(wrong, []);
  } finally {
    await browser.close();
  }
}

/** Waits until the site is stored in the browser. @param {Page} page */
export async function stored(page) {
  await page.waitForFunction(async () => {
    const { serviceWorker } = window.navigator;
    return (await serviceWorker.ready).active?.state === 'activated' && serviceWorker.controller !== null;
  });
}

/** Chooses files by the file picker. @param {Page} page @param {readonly (string | { name: string, mimeType: string, buffer: Buffer })[]} files paths below testdata, or texts */
export async function choose(page, files) {
  const contents = files.map(async (file) =>
    typeof file === 'string' ? given(file.split('/').at(-1) ?? '', await readFile(join(testdata, file))) : file,
  );
  await page
    .locator('input[type=file][data-purpose="show"]')
    .first()
    .setInputFiles(await Promise.all(contents));
}

/** @param {string} name @param {string | Buffer} content */
export function given(name, content) {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
}

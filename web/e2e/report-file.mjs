import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { idle } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

export const program = process.env['HEAPVIEW_BIN'] ?? '';
export const skip = program === '' ? 'HEAPVIEW_BIN names no program' : false;

/** Writes a report file in a folder of its own. @param {string[]} inputs @param {(file: string) => Promise<void>} use */
export async function exported(inputs, use) {
  const folder = await mkdtemp(join(tmpdir(), 'heapview-report-'));
  try {
    const file = join(folder, 'report.html');
    const env = { ...process.env, XDG_CACHE_HOME: '/dev/null', DEBUGINFOD_URLS: '', PPROF_BINARY_PATH: 'bin' };
    const { status, stderr } = spawnSync(program, ['export', ...inputs, '-o', file], { cwd: process.env['HEAPVIEW_TESTDATA'], env });
    assert.equal(status, 0, String(stderr));
    await use(pathToFileURL(file).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Opens the file in a browser without network; fails when it asks anybody, or logs an error. @param {string} url @param {boolean} dark @param {(page: Page) => Promise<void>} journey */
export async function onFile(url, dark, journey) {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: dark ? 'dark' : 'light' });
    await context.setOffline(true);
    const page = await context.newPage();
    /** @type {string[]} */
    const wrong = [];
    page.on('request', (request) => {
      if (!/^(file|blob|data):/.test(request.url())) wrong.push(`asked ${request.url()}`);
    });
    page.on('pageerror', (error) => wrong.push(String(error.stack)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) wrong.push(message.text());
    });
    page.on('dialog', (dialog) => {
      wrong.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(url);
    await idle(page);
    await journey(page);
    assert.deepEqual(wrong, []);
  } finally {
    await browser.close();
  }
}

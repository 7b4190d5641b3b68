/**
 * A browser on the page under test. HEAPVIEW_URL gives the address of a running heapview with three
 * dumps; HEAPVIEW_BIN is the program, for servers of a journey's own, and HEAPVIEW_TESTDATA where its
 * files are (`tests/journeys.py` sets them all). With HEAPVIEW_SHOTS=DIR pictures are left there.
 */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import axe from 'axe-core';
import { chromium } from 'playwright-core';

/** @typedef {import('playwright-core').Page} Page */

/** The owner's token of every server under test, as a script has it; `TOKEN` empty: none is needed. */
const TOKEN = process.env['HEAPVIEW_TOKEN'] ?? '';

const ARGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];

/**
 * Starts the program with these words in testdata/ and waits until it says where it serves.
 * @param {string[]} words
 * @param {Record<string, string>} env
 * @param {string | undefined} cwd
 * @param {string[]} first words before the others
 * @returns {Promise<{ url: string, said: () => string, stop: () => Promise<void> }>}
 */
export async function serve(words, env = {}, cwd = process.env['HEAPVIEW_TESTDATA'], first = ['-no_browser']) {
  const child = spawn(process.env['HEAPVIEW_BIN'] ?? '', [...first, ...words], {
    cwd,
    env: { ...process.env, XDG_CACHE_HOME: '/dev/null', DEBUGINFOD_URLS: '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill();
    await ended;
  };
  for await (const line of createInterface({ input: child.stderr })) {
    said += `${line}\n`;
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url === undefined) continue;
    child.stderr.on('data', (more) => {
      said += String(more);
    });
    return { url: withoutCode(url), said: () => said, stop };
  }
  throw new Error(`the program ended before it said its address:\n${said}`);
}

/** A printed link without its one-time code, which a journey of its own uses. @param {string} link */
function withoutCode(link) {
  return link.replace(/[?&]code=[^&]*/, '').replace(/\/$/, '');
}

/**
 * Gives `use` an empty page in a fresh profile of the browser.
 * @param {(page: Page) => Promise<void>} use
 * @param {{ width?: number, dark?: boolean, level?: string }} options `level`: whose frames were chosen to be shown when this
 * browser was used last; most journeys look at every frame. Empty: the browser is new.
 */
export async function withPage(use, { width = 1440, dark = false, level = 'all' } = {}) {
  const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ARGS });
  try {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: dark ? 'dark' : 'light' });
    if (level !== '')
      await context.addInitScript((chosen) => {
        if (window.localStorage.getItem('heapview.show') === null) window.localStorage.setItem('heapview.show', chosen);
      }, level);
    await use(await context.newPage());
  } finally {
    await browser.close();
  }
}

/**
 * Runs `journey` in a fresh profile of the browser, logged in with the token; fails when the page logs an error, such as
 * something that its content security policy forbids.
 * @param {(go: (path: string) => Promise<Page>) => Promise<void>} journey
 * @param {{ width?: number, dark?: boolean, level?: string, expectErrors?: boolean, at?: string, isStranger?: boolean }} options
 * `at`: another server; `isStranger`: without the token; `level`: as of `withPage`
 */
export async function onPage(
  journey,
  { width = 1440, dark = false, level = 'all', expectErrors = false, at = '', isStranger = false } = {},
) {
  const url = withoutCode(at === '' ? (process.env['HEAPVIEW_URL'] ?? '') : at);
  await withPage(
    async (page) => {
      /** @type {string[]} */
      const errors = [];
      page.on('pageerror', (error) => errors.push(String(error.stack)));
      page.on('console', (message) => {
        // A selected function that a filter leaves out is asked for all the same; browsers log the answer.
        const { url: asked } = message.location();
        const left = /\/api\/v1\/(?:peek\?|source\?.*list_around=)/.test(asked) && message.text().includes('404');
        if (message.type() === 'error' && !left) errors.push(message.text());
      });
      // The token becomes a cookie.
      if (TOKEN !== '' && !isStranger) await page.goto(`${new URL(url).origin}/api/v1/fields?token=${TOKEN}`);
      await journey(async (path) => {
        await page.goto(url + path);
        await idle(page);
        return page;
      });
      if (errors.length > 0 && !expectErrors) throw new Error(`the page logged errors:\n${errors.join('\n')}`);
    },
    { width, dark, level },
  );
}

/**
 * Runs a journey at a wide and a narrow size, once in each theme.
 * @param {(go: (path: string) => Promise<Page>, width: number) => Promise<void>} journey
 * @param {Parameters<typeof onPage>[1]} options
 */
export async function onBothThemes(journey, options = {}) {
  for (const [width, dark] of /** @type {const} */ ([
    [1440, false],
    [1024, true],
  ]))
    await onPage((go) => journey(go, width), { ...options, width, dark });
}

/** What axe-core finds wrong, a line each. @param {Page} page @param {{ rules?: object }} options `rules`: as axe takes them @returns {Promise<string[]>} */
export async function violations(page, { rules = {} } = {}) {
  // Evaluated by the browser's debugger: the page's own policy allows no foreign script.
  await page.evaluate(axe.source);
  return page.evaluate(async (chosen) => {
    const { violations: found } = await Reflect.get(window, 'axe').run(document, { resultTypes: ['violations'], rules: chosen });
    const lines = [];
    for (const { id, nodes } of found) for (const node of nodes) lines.push(`${id}: ${node.target.join(' ')}: ${node.failureSummary}`);
    return lines;
  }, rules);
}

/** Waits until nothing is loading or painting. @param {Page} page */
export async function idle(page) {
  await page.waitForFunction(() => document.body.dataset['idle'] === 'true', undefined, { timeout: 30_000 });
}

/** @param {Page} page @param {string} name */
export async function shot(page, name) {
  const folder = process.env['HEAPVIEW_SHOTS'];
  if (folder === undefined || folder === '') return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png` });
}

/** Opens a view by its key, as its tab names it: `Top (4)`. @param {Page} page @param {string} view */
export async function byKey(page, view) {
  const title = (await page.locator(`.tab[data-view="${view}"]`).getAttribute('title')) ?? '';
  await page.keyboard.press(/\((.)\)$/.exec(title)?.[1] ?? '');
  await idle(page);
}

/** A parameter of the address. @param {Page} page @param {string} name */
export function param(page, name) {
  return new URL(page.url()).searchParams.get(name);
}

/** Rows of the table on the screen, as text of their cells. @param {Page} page */
export async function rows(page) {
  return page
    .locator('table.data tbody tr[data-row]')
    .evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')));
}

/** Exact name of the function in row `n` of the table. @param {Page} page @param {number} n */
export async function nameInRow(page, n) {
  return (await page.locator(`tr[data-row="${n}"] .name-cell`).getAttribute('title')) ?? '';
}

/** Everything a person sees of the view, in words and numbers. @param {Page} page */
export async function visible(page) {
  return page.evaluate(() => {
    const text = (/** @type {string} */ selector) => document.querySelector(selector)?.textContent ?? '';
    const scroll = document.querySelector('.table-scroll')?.scrollTop ?? 0;
    return [
      text('.tab.on'),
      text('.query-bar'),
      text('.view'),
      text('.details'),
      text('.footer'),
      document.querySelector('canvas[data-painted]')?.getAttribute('data-painted') ?? '',
      scroll,
    ].join('\n');
  });
}

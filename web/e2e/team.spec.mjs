import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { idle, rows, serve, shot, violations, withPage } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const run = promisify(execFile);
const HOUR = 3600;

/** A store in a folder of its own, its server, and what a script sends to it. */
async function team() {
  const folder = await mkdtemp(`${tmpdir()}/heapview-team-`);
  const place = `${folder}/store`;
  const bin = process.env['HEAPVIEW_BIN'] ?? '';
  const token = async (/** @type {string[]} */ ...words) =>
    (await run(bin, ['store', 'token', 'add', ...words, `-store=${place}`])).stdout.trim();
  const push = await token('ci', 'push', '*');
  const view = await token('team', 'view');
  const server = await serveStore(place);
  const send = async (/** @type {string} */ query, /** @type {string} */ dump) => {
    const sent = await fetch(`${server.url}/api/v1/dumps?${query}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${push}` },
      body: dump,
    });
    assert.equal(sent.status, 201, await sent.clone().text());
    return (await sent.text()).trim();
  };
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  return { url: server.url, view, send, stop };
}

/** @param {string} place */
async function serveStore(place) {
  const { stop, url } = await serve(['-store', place, '-http=localhost:0', '-log=off'], {}, undefined, ['serve']);
  return { stop, url: new URL(url).origin };
}

/** A dump of a service that leaks: `grown` bytes more. @param {number} grown */
const dump = (grown) => `# inuse_space bytes\nmain;serve;session_add ${50_000_000 + grown}\nmain;load_config 7000000\n`;

/** Logs in by the form. @param {Page} page @param {string} token */
async function logIn(page, token) {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Log in' }).click();
}

test('from an upload to the verdict on growth and a link that others open', { timeout: 120_000 }, async () => {
  const { url, view, send, stop } = await team();
  try {
    let shared = '';
    let short = '';
    await withPage(async (page) => {
      // A newcomer: the form, then how to send the first dump.
      await page.goto(url);
      await logIn(page, view);
      const command = (await page.locator('pre').first().textContent()) ?? '';
      assert.match(
        command,
        /^curl -H "Authorization: Bearer \$HEAPVIEW_TOKEN" -T FILE 'http:\/\/127\.0\.0\.1:\d+\/api\/v1\/dumps\?service=NAME/,
      );
      assert.ok(command.includes(url), command);
      await shot(page, 'team-empty');
      assert.deepEqual(await violations(page), []);
      const now = Math.floor(Date.now() / 1000);
      let link = '';
      for (let n = 0; n < 8; n++) {
        const of = `&pid=7&host=web-1&seq=${n}&time=${now - (8 - n) * HOUR}`;
        link = await send(`service=forest&version=0.${n < 4 ? 38 : 39}&name=forest.000${n}.heap${of}`, dump(n * 9_000_000));
        await send(`service=steady&version=1&name=steady.000${n}.heap${of}`, dump(n + 1));
      }
      await page.reload();
      assert.deepEqual(await page.locator('tbody tr td:first-child').allTextContents(), ['forest', 'steady']);
      await page.getByRole('link', { name: 'Latest total' }).click();
      await page.getByRole('link', { name: 'Growth' }).click();
      const first = page.locator('tbody tr').first();
      assert.match((await first.textContent()) ?? '', /^forest.*\+60\.1 MiB/);
      await shot(page, 'team-services');
      assert.deepEqual(await violations(page), []);
      await first.getByRole('link', { name: 'forest' }).click();
      const headings = await page.locator('h2').allTextContents();
      for (const heading of ['Versions', 'Processes', 'Dumps']) assert.ok(headings.includes(heading), String(headings));
      await shot(page, 'team-service');
      assert.deepEqual(await violations(page), []);
      // The verdict.
      await page.getByRole('link', { name: 'What grew' }).click();
      await idle(page);
      assert.match(await page.locator('.view').innerText(), /leak/);
      const [top] = await rows(page);
      assert.ok(top?.some((cell) => cell.includes('session_add')) && top.some((cell) => cell.includes('leak')), String(top));
      await shot(page, 'team-growth');
      await page.locator('button[name=share]').click();
      shared = await page.getByRole('textbox', { name: 'Link to this view' }).inputValue();
      assert.ok(shared.startsWith(`${url}/s/forest/`), shared);
      const asked = page.waitForRequest('**/api/v1/links');
      await page.getByRole('button', { name: 'Make a short link' }).click();
      // The server may know itself by another name than this page's.
      assert.match((await asked).postData() ?? '', /^\/s\/forest\//);
      short = await page.getByRole('textbox', { name: 'Short link' }).inputValue();
      assert.match(short, /^http:\/\/127\.0\.0\.1:\d+\/l\/[a-z2-7]{16}$/);
      await shot(page, 'team-share');
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'forest', exact: true }).click();
      await page.waitForURL(`${url}/services/forest`);
      // The link that the sender of a dump got.
      await page.goto(link);
      await idle(page);
      assert.match((await page.locator('.crumbs').textContent()) ?? '', /forest/);
    });
    // Somebody else, later, in a dark and narrow window: the form leads to the shared view.
    await withPage(
      async (page) => {
        await page.goto(shared);
        await logIn(page, view);
        await idle(page);
        assert.equal(page.url(), shared);
        assert.match(await page.locator('.view').innerText(), /leak/);
        await page.goto(short);
        await page.waitForURL(shared);
        await idle(page);
        for (const path of ['/', '/services/forest', '/services/nosuch']) {
          await page.goto(url + path);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          assert.ok(overflow <= 0, `${path} is ${overflow} px too wide`);
          assert.deepEqual(await violations(page), [], path);
          await shot(page, `team-narrow${path.replaceAll('/', '-')}`);
        }
        assert.match((await page.locator('.warn').textContent()) ?? '', /no dumps of a service "nosuch"/);
      },
      { width: 420, dark: true },
    );
  } finally {
    await stop();
  }
});

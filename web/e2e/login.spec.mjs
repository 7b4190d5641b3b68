import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, serve, shot, withPage, violations } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** The link that the program printed last. @param {{ said: () => string }} server */
const lastLink = (server) => [...server.said().matchAll(/http:\/\/\S+code=\w+/g)].at(-1)?.[0] ?? '';

/** Waits for another printed link than `old`. @param {{ said: () => string }} server @param {string} old */
async function nextLink(server, old) {
  for (let tries = 0; tries < 100; tries++) {
    const link = lastLink(server);
    if (link !== old) return link;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no other link was printed:\n${server.said()}`);
}

/** Opens a link that lets in. @param {Page} page @param {string} link */
async function enter(page, link) {
  await page.goto(link);
  await page.waitForURL((url) => !url.search.includes('code='));
  await idle(page);
}

test('a printed link lets one browser in, and the next one the next', { timeout: 90_000 }, async () => {
  const server = await serve(['-http=localhost:0', '-focus=main', 'bin/shop', 'gperftools/shop.0003.heap'], { HEAPVIEW_TOKEN: '' });
  try {
    const first = lastLink(server);
    const { origin } = new URL(first);
    let second = '';
    await withPage(async (page) => {
      await enter(page, first);
      await shot(page, 'login-first');
      assert.match((await page.locator('.chips').textContent()) ?? '', /Focus:\s*main/);
      assert.equal(await page.evaluate(() => document.cookie), '', 'scripts do not see the cookie');
      second = await nextLink(server, first);
      await page.reload();
      await idle(page);
      // A second tab, pprof's addresses, and the same link once more: it is the same browser.
      const tab = await page.context().newPage();
      for (const path of ['/top', '/ui/top']) {
        await tab.goto(origin + path);
        await idle(tab);
        assert.ok((await tab.locator('tr[data-row]').count()) > 3, path);
      }
      await shot(tab, 'login-second-tab');
      await enter(tab, first);
      await enter(tab, second);
      assert.equal(lastLink(server), second, 'who is in uses no link up');
    });
    for (const dark of [false, true]) {
      await withPage(
        async (page) => {
          const answer = await page.goto(first);
          assert.equal(answer?.status(), 401);
          assert.match(
            (await page.locator('main').textContent()) ?? '',
            /needs the link that heapview printed.*This link has already been used/s,
          );
          await shot(page, `login-used-${dark ? 'dark' : 'light'}`);
          assert.deepEqual(await violations(page), []);
          // It is no dead end for who has the cookie meanwhile, and has looks of its own.
          assert.notEqual(await page.evaluate(() => getComputedStyle(document.querySelector('main') ?? document.body).borderRadius), '0px');
          await page.goto(`${origin}/top?focus=main`);
          await shot(page, `login-missing-${dark ? 'dark' : 'light'}`);
        },
        { dark },
      );
    }
    await withPage(async (page) => {
      await enter(page, second);
      assert.equal(await page.locator('.tab.on').count(), 1);
    });
    assert.notEqual(await nextLink(server, second), first);
  } finally {
    await server.stop();
  }
});

test('a page that was open goes on when its server was started again and let the browser in', { timeout: 90_000 }, async () => {
  const words = ['bin/shop', 'gperftools/shop.0003.heap'];
  let server = await serve(['-http=localhost:0', ...words], { HEAPVIEW_TOKEN: '' });
  try {
    const { port } = new URL(server.url);
    await withPage(async (page) => {
      await enter(page, lastLink(server));
      await server.stop();
      server = await serve([`-http=localhost:${port}`, ...words], { HEAPVIEW_TOKEN: '' });
      // The cookie was of the other run.
      const lost = page.locator('.lost.on', { hasText: 'open the latest one in this browser' });
      await lost.waitFor({ timeout: 15_000 });
      await shot(page, 'login-other-run');
      const tab = await page.context().newPage();
      await enter(tab, lastLink(server));
      await tab.close();
      await page.locator('.lost.on').waitFor({ state: 'detached', timeout: 15_000 });
      await idle(page);
    });
  } finally {
    await server.stop();
  }
});

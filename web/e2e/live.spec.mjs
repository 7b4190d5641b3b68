import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, param, serve, shot } from './page.mjs';

const DUMPS = [1, 2, 3].map((n) => `gperftools/shop.000${n}.heap`);

/**
 * Runs `journey` with a server of its own.
 * @param {string[]} words
 * @param {(server: { url: string, said: () => string, stop: () => Promise<void> }) => Promise<void>} journey
 */
async function withServer(words, journey) {
  const server = await serve(words);
  try {
    await journey(server);
  } finally {
    await server.stop();
  }
}

test('a server that goes and comes back is said, and the page goes on by itself', async () => {
  await withServer(['-http=localhost:0', 'bin/shop', DUMPS[2] ?? ''], async (server) => {
    const { port } = new URL(server.url);
    await onPage(
      async (go) => {
        const page = await go('/top');
        await page.evaluate(() => {
          document.body.dataset['kept'] = 'yes';
        });
        const total = () => page.locator('.footer').textContent();
        const before = await total();
        const banner = page.locator('.lost.on');
        assert.equal(await banner.count(), 0);
        await server.stop();
        await banner.waitFor();
        assert.match((await banner.textContent()) ?? '', /does not answer\. What is shown stays/);
        await idle(page);
        // The table is still there to read; a view that is not cannot come.
        assert.ok((await page.locator('tr[data-row]').count()) > 3);
        await shot(page, 'lost');
        await page.locator('[data-view="graph"]').click();
        await page.getByText('No answer').waitFor();
        // Another run of the program, of another dump: nobody reloads anything.
        await withServer([`-http=localhost:${port}`, 'bin/shop', DUMPS[0] ?? ''], async () => {
          await page.locator('.node').first().waitFor({ timeout: 15_000 });
          await idle(page);
          assert.equal(await banner.count(), 0);
          assert.notEqual(await total(), before);
          assert.match((await page.locator('.header').textContent()) ?? '', /shop\.0001\.heap/);
          assert.equal(await page.evaluate(() => document.body.dataset['kept']), 'yes');
        });
      },
      { at: server.url, expectErrors: true },
    );
  });
});

test('a bare address shows what the program was started with', async () => {
  await withServer(['-http=localhost:0', `-base=${DUMPS[0]}`, '-focus=main', 'bin/shop', DUMPS[2] ?? ''], async (server) => {
    await onPage(
      async (go) => {
        const page = await go('/');
        assert.equal(param(page, 'base') ?? '1', '1');
        assert.match((await page.locator('.footer').textContent()) ?? '', /in the base/);
        assert.match((await page.locator('.chips').textContent()) ?? '', /focus.*base/);
        // What was asked for is not forgotten by looking at something else.
        await page.locator('[data-view="top"]').click();
        await idle(page);
        assert.equal(param(page, 'base'), '1');
      },
      { at: new URL('/', server.url).origin },
    );
  });
});

test('an open page does not ask again and again what is open', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    let asked = 0;
    page.on('request', () => {
      asked += 1;
    });
    await page.waitForTimeout(1500);
    assert.equal(asked, 0);
  });
});

import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { idle, onPage, param, serve } from './page.mjs';

const testdata = process.env['HEAPVIEW_TESTDATA'];

test('a dump that appears in a watched folder is shown by itself, unless another one is asked for', async () => {
  const folder = await mkdtemp(`${tmpdir()}/heapview-watch-`);
  const put = (/** @type {number} */ n) => copyFile(`${testdata}/gperftools/shop.000${n}.heap`, `${folder}/shop.000${n}.heap`);
  await put(1);
  const server = await serve(['-http=localhost:0', '-watch', '-every=200ms', folder, 'bin/shop']);
  try {
    await onPage(
      async (go) => {
        const page = await go('/top');
        const header = page.locator('.header');
        assert.match((await header.textContent()) ?? '', /shop\.0001\.heap.*1 dump/);
        await put(2);
        await header.filter({ hasText: 'shop.0002.heap' }).waitFor();
        await idle(page);
        assert.match((await header.textContent()) ?? '', /2 dumps/);
        assert.match((await page.locator('.footer').textContent()) ?? '', /^7\.42 MiB/);
        // One that is named stays.
        await page.locator('button[name="dumps"]').click();
        await page.locator('select[name="shown"]').selectOption({ index: 1 });
        await idle(page);
        assert.equal(param(page, 'dump'), '0');
        await put(3);
        await page.locator('select[name="shown"] option', { hasText: 'shop.0003.heap' }).waitFor({ state: 'attached' });
        await idle(page);
        assert.match((await page.locator('.footer').textContent()) ?? '', /^3\.74 MiB/);
      },
      { at: server.url },
    );
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
});

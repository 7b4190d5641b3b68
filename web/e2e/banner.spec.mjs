import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onPage, serve, shot } from './page.mjs';

test('a program of another build is said above every view, until it is put away', async () => {
  const server = await serve(['-http=localhost:0', 'bin/shop-v0', 'gperftools/shop.0003.heap']);
  try {
    await onPage(
      async (go) => {
        const page = await go('/top');
        const banner = page.locator('.banner');
        await banner.waitFor();
        assert.match((await banner.textContent()) ?? '', /probably wrong in shop: .*another build.*What helps:/);
        await shot(page, 'banner');
        await banner.getByRole('button').click();
        assert.equal(await banner.count(), 0);
      },
      { at: server.url },
    );
  } finally {
    await server.stop();
  }
});

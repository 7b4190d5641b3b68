import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, param, serve, shot } from './page.mjs';

/** @param {import('playwright-core').Page} page */
const problem = async (page) => (await page.locator('.problem').textContent()) ?? '';

test('a link with unknown options names all of them, and opens without them', async () => {
  await onPage(
    async (go) => {
      const page = await go('/top?f=main&colour=red&foo=1');
      assert.match(await problem(page), /This link has options that this version of heapview does not know: colour, foo\./);
      await shot(page, 'link-unknown');
      await page.getByRole('button', { name: 'Open without them' }).click();
      await idle(page);
      await page.locator('table.data').waitFor();
      assert.deepEqual([param(page, 'colour'), param(page, 'foo'), param(page, 'f')], [null, null, 'main']);
    },
    { expectErrors: true },
  );
});

test('a link to a dump that is not open says how many are', async () => {
  await onPage(
    async (go) => {
      const page = await go('/flamegraph?dump=20&base=0');
      assert.match(await problem(page), /This link points to dump 21, but only 3 dumps are open\./);
      await shot(page, 'link-dump');
      await page.getByRole('button', { name: 'Show the latest dump' }).click();
      await idle(page);
      await page.locator('canvas[data-painted]').waitFor();
      assert.equal(param(page, 'dump'), null);
      for (const path of ['/?base=7', '/timeline?dump=9', '/top?diff_base=3']) {
        await go(path);
        assert.match(await problem(page), /but only 3 dumps are open/, path);
      }
    },
    { expectErrors: true },
  );
});

test('a shared link finds its dumps by name where other files are open', async () => {
  /** @type {string} */
  let shared = '';
  await onPage(async (go) => {
    const page = await go('/top?dump=2&base=0');
    await page.locator('[name=share]').click();
    shared = await page.getByRole('textbox', { name: 'On this machine' }).inputValue();
    assert.equal(new URL(shared).searchParams.get('dump_name'), 'shop.0003.heap');
    assert.equal(new URL(shared).searchParams.get('base_name'), 'shop.0001.heap');
    // The page's own address stays short.
    assert.equal(param(page, 'dump_name'), null);
  });
  const { pathname, search } = new URL(shared);
  const [first = '', third = ''] = ['1', '3'].map((n) => `gperftools/shop.000${n}.heap`);
  const server = await serve(['-http=localhost:0', 'bin/shop', third, first]);
  try {
    await onPage(
      async (go) => {
        const page = await go(pathname + search);
        const open = await page.evaluate(async () => {
          const meta = await (await fetch('/api/v1/meta')).json();
          return meta.dumps.map((/** @type {{ name: string }} */ { name }) => name.split('/').at(-1));
        });
        assert.deepEqual([open[Number(param(page, 'dump'))], open[Number(param(page, 'base'))]], ['shop.0003.heap', 'shop.0001.heap']);
        assert.equal(param(page, 'dump_name'), null);
        // One that is not open is said, and what is shown instead.
        await go('/top?dump=1&dump_name=monday.heap');
        assert.match(
          (await page.locator('.banners').textContent()) ?? '',
          /This link was made for monday\.heap, which is not open\. Dump 2 here is/,
        );
        await shot(page, 'link-other-dump');
      },
      { at: server.url },
    );
  } finally {
    await server.stop();
  }
});

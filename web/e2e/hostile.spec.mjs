import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, serve, shot } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** What texts of a profile must never become. @param {Page} page */
async function madeOfText(page) {
  return page.evaluate(() => ({
    taken: Reflect.get(window, 'taken'),
    scripts: [...document.querySelectorAll('script')].filter((s) => s.id !== 'boot' && !s.src.startsWith(new URL(document.URL).origin))
      .length,
    made: [...document.querySelectorAll('img, iframe, object, embed, base, meta[http-equiv=refresh]')].map((e) => e.outerHTML),
    handlers: [...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => a.name.startsWith('on'))).length,
    links: [...document.querySelectorAll('a')].map((a) => a.href).filter((href) => !/^(https?|blob):/.test(href)),
  }));
}

const NOTHING = { taken: undefined, scripts: 0, made: [], handlers: 0, links: [] };

test('texts of a hostile profile stay text in every view', { timeout: 180_000 }, async () => {
  const server = await serve(['-http=localhost:0', 'pprof/awkward.pb.gz']);
  try {
    await onPage(
      async (go) => {
        const page = await go('/');
        let dialogs = 0;
        page.on('dialog', (dialog) => {
          dialogs += 1;
          void dialog.dismiss();
        });
        const views = await page.locator('.tab').evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('href') ?? ''));
        assert.ok(views.length >= 6);
        const name = '<script>window.taken=1</script>';
        for (const view of views) {
          const path = view.split('?', 1)[0] ?? '';
          for (const query of ['', 'g=lines', 'g=files', `sel=${encodeURIComponent(name)}`]) {
            await go(`${path}?${query}`);
            assert.deepEqual(await madeOfText(page), NOTHING, `${path}?${query}`);
          }
          const box = await page.locator('.view').boundingBox();
          assert.ok(box !== null);
          for (const y of [60, 120, 200, 300]) await page.mouse.move(box.x + 120, box.y + y);
          await page.mouse.click(box.x + 200, box.y + 100, { button: 'right' });
          assert.deepEqual(await madeOfText(page), NOTHING, `${path}, pointed at`);
          await page.keyboard.press('Escape');
          await shot(page, `hostile-${path.slice(1)}`);
        }
        // The selected function's name is on the screen as it is.
        await go(`/top?sel=${encodeURIComponent(name)}&f=${encodeURIComponent('^<script>')}&q=${encodeURIComponent('<img')}`);
        assert.equal((await page.locator('[data-selected]').textContent())?.trim(), name);
        assert.match((await page.locator('.chips').textContent()) ?? '', /<script>/);
        await idle(page);
        assert.deepEqual(await madeOfText(page), NOTHING);
        assert.equal(dialogs, 0);
      },
      { at: server.url },
    );
  } finally {
    await server.stop();
  }
});

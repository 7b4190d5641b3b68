import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, nameInRow, onPage, shot, violations } from './page.mjs';

for (const dark of [false, true]) {
  test(`no view keeps anybody out, in the ${dark ? 'dark' : 'light'} theme`, { timeout: 180_000 }, async () => {
    await onPage(
      async (go) => {
        const page = await go('/top?sort=cum');
        const name = encodeURIComponent(await nameInRow(page, 3));
        /** @type {Record<string, string[]>} */
        const all = {};
        const check = async (/** @type {string} */ where) => {
          const found = await violations(page);
          if (found.length > 0) all[where] = found;
        };
        const paths = await page
          .locator('.tab')
          .evaluateAll((tabs) => tabs.map((tab) => (tab.getAttribute('href') ?? '').split('?', 1)[0] ?? ''));
        for (const path of paths) {
          for (const query of ['', `?sel=${name}&q=a&f=.&dump=2&base=0`]) {
            await go(path + query);
            await check(path + query);
            await shot(page, `access-${path.slice(1)}-${query === '' ? 'plain' : 'diff'}-${dark ? 'dark' : 'light'}`);
          }
        }
        await page.keyboard.press('?');
        await idle(page);
        await check('help');
        await page.keyboard.press('Escape');
        await page.keyboard.press('m');
        await check('menu');
        await page.keyboard.press('Escape');
        await go('/nowhere').catch(() => undefined);
        await check('no such page');
        assert.deepEqual(all, {});
      },
      { dark },
    );
  });
}

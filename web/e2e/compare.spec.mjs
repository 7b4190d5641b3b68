import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, param, serve, shot, violations } from './page.mjs';

const DUMPS = [1, 2].map((n) => `gperftools/shop.000${n}.heap`);

for (const [width, dark] of /** @type {const} */ ([
  [1440, false],
  [1280, true],
  [1024, false],
  [390, true],
])) {
  test(`two dumps are compared, swapped and cleared at ${width} px`, async () => {
    await onPage(
      async (go) => {
        const page = await go('/top');
        const button = page.locator('button[name="dumps"]');
        assert.match(await button.innerText(), /Compare…/);
        await button.click();
        const box = page.locator('.dumps-box');
        const place = await box.boundingBox();
        assert.ok(place !== null && place.x >= 0 && place.x + place.width <= width, JSON.stringify(place));
        // All of it is in the window, and no text is cut.
        const cut = await box.evaluate(
          (e) => [...e.querySelectorAll('button, p, .select-caption')].filter((c) => c.scrollWidth > c.clientWidth + 1).length,
        );
        assert.equal(cut, 0);
        await page.locator('select[name="base"]').selectOption('0');
        await idle(page);
        await page.locator('select[name="shown"]').selectOption('1');
        await idle(page);
        assert.deepEqual([param(page, 'dump'), param(page, 'base')], ['1', '0']);
        assert.match((await button.getAttribute('title')) ?? '', /^Shown: shop\.0002\.heap \(2\/3\), compared with shop\.0001\.heap$/);
        // A dump is not compared with itself.
        await page.locator('select[name="shown"]').selectOption('0');
        await idle(page);
        assert.deepEqual([param(page, 'dump'), param(page, 'base')], ['0', null]);
        await page.locator('select[name="base"]').selectOption('2');
        await idle(page);
        await box.getByRole('button', { name: 'Swap' }).click();
        await idle(page);
        assert.deepEqual([param(page, 'dump'), param(page, 'base')], ['2', '0']);
        await shot(page, `compare-${width}`);
        assert.deepEqual(await violations(page), []);
        await box.getByRole('button', { name: 'Clear comparison' }).click();
        await idle(page);
        assert.equal(param(page, 'base'), null);
        await page.keyboard.press('Escape');
        assert.equal(await box.count(), 0);
      },
      { width, dark },
    );
  });
}

test('a dump that is dropped on the comparison becomes the baseline, wherever that is', async () => {
  const server = await serve(['-http=localhost:0', 'bin/shop', DUMPS[0] ?? '', DUMPS[1] ?? '']);
  try {
    await onPage(
      async (go) => {
        const page = await go('/top');
        await page.locator('button[name="dumps"]').click();
        const files = await page.evaluateHandle(async () => {
          const transfer = new window.DataTransfer();
          transfer.items.add(new window.File([await (await fetch('/download')).blob()], 'other.pb.gz'));
          return transfer;
        });
        // On the left half of the window.
        await page.dispatchEvent('.dumps-box p', 'drop', { dataTransfer: files, clientX: 20, clientY: 200 });
        await page.waitForFunction(() => new URL(window.location.href).searchParams.get('base') === '2');
      },
      { at: server.url, width: 390 },
    );
  } finally {
    await server.stop();
  }
});

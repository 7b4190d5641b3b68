import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, nameInRow, onPage, param, rows, shot } from './page.mjs';

test('columns are chosen and stay in the address', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    const heads = () => page.locator('thead [role="columnheader"]').allTextContents();
    assert.ok((await heads()).some((head) => head.startsWith('Objects')));
    await page.locator('button[name="columns"]').click();
    await page.locator('input[name="column-mean"]').uncheck();
    await page.locator('input[name="column-object"]').check();
    await idle(page);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.chooser-list').count(), 0);
    const chosen = await heads();
    assert.ok(chosen.includes('Module') && !chosen.some((head) => head.startsWith('Mean size')));
    await page.reload();
    await idle(page);
    assert.deepEqual(await heads(), chosen);
    await shot(page, 'top-columns');
  });
});

test('what does not fit goes, the numbers that matter stay', async () => {
  for (const width of [1100, 1920]) {
    await onPage(
      async (go) => {
        const page = await go('/top');
        const heads = await page.locator('thead [role="columnheader"]').allTextContents();
        for (const head of ['Flat', 'Cum', 'Objects', 'Name'])
          assert.ok(
            heads.some((h) => h.startsWith(head)),
            `${head} at ${width}`,
          );
        assert.equal(heads.includes('Package'), width === 1920);
        assert.equal(
          await page.evaluate(() => document.querySelector('.table-scroll')?.scrollWidth),
          await page.evaluate(() => document.querySelector('.table-scroll')?.clientWidth),
        );
      },
      { width },
    );
  }
});

test('the server sorts, and the address says how', async () => {
  await onPage(async (go) => {
    const page = await go('/top?nf=0');
    await page.locator('[data-sort="objects"]').click();
    await idle(page);
    assert.equal(param(page, 'order'), 'objects');
    const at = (await page.locator('thead [role="columnheader"]').allTextContents()).findIndex((h) => h.startsWith('Objects'));
    const counts = (await rows(page)).map((row) => Number(row[at]?.replace(/\D/g, '')));
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => b - a),
    );
    await page.locator('[data-sort="objects"]').click();
    await idle(page);
    assert.equal(param(page, 'order'), '-objects');
  });
});

test('rows far down come when they are scrolled to, and a link finds its row', async () => {
  await onPage(async (go) => {
    const page = await go('/top?nf=0&g=addresses');
    const n = Number(await page.locator('.table-scroll').getAttribute('aria-rowcount')) - 1;
    await page.locator('.table-scroll').focus();
    await page.keyboard.press('End');
    await idle(page);
    const last = await nameInRow(page, n - 1);
    assert.notEqual(last, '');
    assert.equal(param(page, 'sel'), last);
    await page.reload();
    await idle(page);
    assert.equal(await page.locator('tr.selected').first().isVisible(), true);
  });
});

test('callers by keyboard: walk down, walk back', async () => {
  await onPage(async (go) => {
    const page = await go('/callers?peek=^shop::Till::serve$');
    const middle = () => page.locator('[data-middle]').getAttribute('data-middle');
    const first = await middle();
    await page.locator('[data-walk]').first().focus();
    await page.keyboard.press('End');
    const next = await page.evaluate(() => document.activeElement?.getAttribute('data-walk'));
    await page.keyboard.press('Enter');
    await idle(page);
    assert.equal(await middle(), next);
    await page.locator('[data-walk]').first().focus();
    await page.keyboard.press('Backspace');
    await idle(page);
    assert.equal(await middle(), first);
    assert.match((await page.locator('.middle').textContent()) ?? '', /objects[\d,]+.*each/);
    await shot(page, 'callers-objects');
  });
});

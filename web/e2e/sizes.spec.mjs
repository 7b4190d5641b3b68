import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, param, rows, shot } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** What the footer says is shown. @param {Page} page */
async function shown(page) {
  return (await page.locator('.footer b').first().textContent()) ?? '';
}

test('sizes: the chosen bar tells its functions, by pointer and by key', async () => {
  await onPage(async (go) => {
    const page = await go('/sizes');
    assert.equal(await page.locator('.tab.on').textContent(), 'Sizes');
    const table = await rows(page);
    assert.ok(table.length > 5);
    // Shares of all classes add up.
    const share = table.reduce((sum, row) => sum + Number.parseFloat(row[2] ?? ''), 0);
    assert.ok(share > 99.5 && share < 100.5, `${share} %`);
    const chart = page.locator('.size-chart');
    const first = await chart.getAttribute('aria-valuetext');
    assert.match(first ?? '', /^[\d,]+( to [\d,]+)? bytes: .+ bytes$/);
    await chart.focus();
    await page.keyboard.press('ArrowLeft');
    await idle(page);
    assert.notEqual(await chart.getAttribute('aria-valuetext'), first);
    assert.match(param(page, 'size') ?? '', /^\d+$/);
    await page.keyboard.press('Home');
    await idle(page);
    assert.equal(await page.locator('.size-functions h2').textContent(), table[0]?.[0]);
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Only these sizes');
    const box = await chart.boundingBox();
    assert.ok(box !== null);
    const bar = await page.locator('[data-class] .size-piece').last().boundingBox();
    assert.ok(bar !== null);
    await page.mouse.move(bar.x + bar.width / 2, box.y + 100);
    assert.match((await page.locator('.tooltip').textContent()) ?? '', /Bytes.*bytes.*Objects/);
    await shot(page, 'sizes-tooltip');
    await page.mouse.click(bar.x + bar.width / 2, box.y + 100);
    await idle(page);
    assert.equal(await page.locator('.size-functions h2').textContent(), table.at(-1)?.[0]);
    await page.locator('.size-functions .size-row').first().click();
    await idle(page);
    assert.equal(await page.locator('[data-selected]').textContent(), param(page, 'sel'));
  });
});

test('sizes: only one class, in every view, and back', async () => {
  await onPage(async (go) => {
    const page = await go('/sizes');
    const all = await shown(page);
    const size = (await page.locator('tr.selected td').nth(1).textContent()) ?? '';
    await page.locator('[data-only]').click();
    await idle(page);
    assert.match(param(page, 'tf') ?? '', /^bytes=\d+b:\d+b$/);
    assert.equal(await shown(page), size);
    assert.equal((await rows(page)).length, 1);
    await page.keyboard.press('3');
    await idle(page);
    assert.equal(await shown(page), size);
    await page.goBack();
    await page.goBack();
    await idle(page);
    assert.equal(await shown(page), all);
  });
});

test('sizes: objects, logarithms and a base', async () => {
  await onPage(
    async (go) => {
      const page = await go('/sizes?dump=2&base=0');
      assert.ok((await page.locator('.size-base').count()) > 3);
      assert.match((await page.locator('.sizes thead').textContent()) ?? '', /Δ bytes.*Δ objects/);
      await page.getByRole('radio', { name: 'Objects' }).check();
      await idle(page);
      assert.equal(param(page, 'si'), 'inuse_objects');
      assert.match((await page.locator('.size-chart').getAttribute('aria-valuetext')) ?? '', /objects$/);
      await page.getByRole('radio', { name: 'Log' }).check();
      await idle(page);
      assert.equal(param(page, 'log'), 't');
      await shot(page, 'sizes-diff-log');
    },
    { dark: true },
  );
});

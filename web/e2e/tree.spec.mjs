import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, param, shot } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** Level, open or not, and name of each row on the screen. @param {Page} page */
async function tree(page) {
  return page.locator('.tree tr[data-row]').evaluateAll((all) =>
    all.map((row) => ({
      level: Number(row.getAttribute('aria-level')),
      open: row.getAttribute('aria-expanded'),
      name: row.querySelector('.name-cell')?.getAttribute('title') ?? '',
      cum: row.querySelector('td span')?.getAttribute('title') ?? '',
    })),
  );
}

/** @param {Page} page @param {string[]} keys */
async function press(page, ...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await idle(page);
  }
}

test('the tree opens, closes and is kept in the address', async () => {
  await onPage(async (go) => {
    const page = await go('/tree?open=none');
    const shut = await tree(page);
    assert.ok(shut.every((row) => row.level === 1));
    await page.locator('[data-twist]').first().click();
    await idle(page);
    const open = await tree(page);
    assert.equal(open[0]?.open, 'true');
    assert.equal(open[1]?.level, 2);
    assert.match(param(page, 'open') ?? '', /^[0-9a-f]{8}$/);
    await page.reload();
    await idle(page);
    assert.deepEqual(await tree(page), open);
    await page.locator('[data-twist]').first().click();
    await idle(page);
    assert.deepEqual(await tree(page), shut);
  });
});

test('the tree by keyboard alone', async () => {
  await onPage(async (go) => {
    const page = await go('/tree?open=none');
    await page.locator('.table-scroll').focus();
    await press(page, 'ArrowDown', 'ArrowRight');
    assert.equal((await tree(page))[0]?.open, 'true');
    const selected = () => page.locator('tr[aria-selected="true"]').getAttribute('data-row');
    await press(page, 'ArrowRight');
    assert.equal(await selected(), '1');
    await press(page, 'ArrowLeft');
    assert.equal(await selected(), '0');
    await press(page, 'ArrowLeft');
    assert.equal((await tree(page))[0]?.open, 'false');
    await press(page, 'e');
    const rows = await tree(page);
    const last = Number(await selected());
    assert.ok(last > 5, 'the end of the hottest path is selected');
    assert.equal(rows[last]?.open, null, 'nothing is below it');
    assert.match(param(page, 'open') ?? '', /\*/);
    assert.equal(param(page, 'sel'), rows[last]?.name);
    await shot(page, 'tree-hottest');
    await press(page, 'm');
    assert.equal(await page.locator('[role=menu]').count(), 1);
    await press(page, 'Escape', 'End', 'Home');
    assert.equal(await selected(), '0');
  });
});

test('the tree from the leaves, with the button for the hottest path', async () => {
  await onPage(async (go) => {
    const page = await go('/tree');
    await page.locator('label', { hasText: 'Bottom-up' }).click();
    await idle(page);
    assert.equal(param(page, 'inverted'), 't');
    await page.locator('button[name="collapse"]').click();
    await idle(page);
    await page.locator('button[name="hottest"]').click();
    await idle(page);
    assert.ok(Math.max(...(await tree(page)).map((row) => row.level)) > 5);
    await shot(page, 'tree-inverted');
    await page.goBack();
    await idle(page);
    assert.ok((await tree(page)).every((row) => row.level === 1));
  });
});

test('small rows are one row that opens', async () => {
  await onPage(async (go) => {
    const page = await go('/tree?inverted=t&nf=0.2');
    const folded = page.locator('tr.folded');
    assert.match((await folded.first().textContent()) ?? '', /\d+ small frames?/);
    const before = (await tree(page)).length;
    await folded.first().click();
    await idle(page);
    assert.ok((await tree(page)).length > before);
    assert.match(param(page, 'open') ?? '', /_/);
  });
});

test('the tree with a base is sorted by difference, and search marks rows', async () => {
  await onPage(async (go) => {
    const page = await go('/tree?dump=2&base=0&q=shop::');
    assert.match((await page.locator('thead').textContent()) ?? '', /Current.*Baseline.*Δ/);
    const changes = await page
      .locator('tr[aria-level="1"] .delta')
      .evaluateAll((all) => all.map((d) => Number(d.getAttribute('title')?.replace(/[^\d]/g, ''))));
    assert.deepEqual(
      changes,
      [...changes].sort((a, b) => b - a),
    );
    assert.ok((await page.locator('tr.hit').count()) > 0);
    assert.match((await page.locator('#search-status').textContent()) ?? '', /\d+ open rows? · /);
    await shot(page, 'tree-base');
  });
});

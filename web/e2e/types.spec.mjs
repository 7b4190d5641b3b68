import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, param, rows, shot } from './page.mjs';

test('types: what containers hold, and only the stacks of one in every view', async () => {
  await onPage(async (go) => {
    const page = await go('/types');
    assert.equal(await page.locator('.tab.on').textContent(), 'Types');
    const table = await rows(page);
    const cells = await page.locator('tr[data-row="0"] td').allTextContents();
    assert.equal(cells[0], 'Vec<u8>');
    assert.match(cells.join(' '), /blank_page/);
    assert.ok(
      table.some(([name]) => name === 'unknown'),
      'what no name tells is a row',
    );
    const share = table.reduce((sum, row) => sum + Number.parseFloat(row.find((cell) => /^\d+\.\d\d%$/.test(cell)) ?? '0'), 0);
    assert.ok(share > 99.5 && share < 100.5, `${share} %`);
    await shot(page, 'types-light');
    await page.locator('tr[data-row="0"] td').first().click();
    await idle(page);
    assert.equal(param(page, 'type'), '^Vec<u8>$');
    assert.equal((await rows(page)).length, 1);
    assert.match((await page.locator('.chip', { hasText: 'type' }).textContent()) ?? '', /Vec<u8>/);
    const held = await page.locator('.footer b').first().textContent();
    await page.keyboard.press('4');
    await idle(page);
    assert.equal(await page.locator('.footer b').first().textContent(), held);
    await page.keyboard.press('y');
    await idle(page);
    await page.locator('button', { hasText: 'All types' }).click();
    await idle(page);
    assert.equal(param(page, 'type'), null);
    assert.equal((await rows(page)).length, table.length);
  });
});

test('types: by keyboard into the flame graph, and with a base', async () => {
  await onPage(
    async (go) => {
      const page = await go('/types?dump=2&base=0');
      assert.match((await page.locator('thead').textContent()) ?? '', /Change/);
      await page.locator('.table-scroll').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('f');
      await idle(page);
      assert.match(page.url(), /\/flamegraph\?.*type=/);
    },
    { width: 1100, dark: true },
  );
});

test('a column of types: chosen, sorted, and in the summary', async () => {
  await onPage(async (go) => {
    const page = await go('/top?cols=flat,name,type');
    assert.match((await page.locator('tr[data-row="0"]').textContent()) ?? '', /Vec<u8>/);
    await page.locator('thead button', { hasText: 'Type' }).click();
    await idle(page);
    assert.equal(param(page, 'order'), 'type');
    const names = await page.locator('tr[data-row] td:nth-child(3) bdi').allTextContents();
    const known = names.filter((name) => name !== 'unknown');
    assert.deepEqual(known, [...known].sort());
    await page.keyboard.press('1');
    await idle(page);
    assert.match((await page.locator('[aria-labelledby="who-holds"] tr[data-row="0"]').textContent()) ?? '', /Vec<u8>/);
  });
});

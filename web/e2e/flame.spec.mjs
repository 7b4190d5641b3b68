import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, param, shot } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** Where the flame graph is on the screen. @param {Page} page */
async function place(page) {
  const box = await page.locator('[data-flame]').boundingBox();
  assert.ok(box !== null);
  return box;
}

/** What the box under a point is called. @param {Page} page @param {number} x @param {number} y */
async function nameAt(page, x, y) {
  await page.mouse.move(x + 1, y);
  await page.mouse.move(x, y);
  return (await page.locator('.tooltip-name').textContent()) ?? '';
}

/** What is in the window. @param {Page} page */
function span(page) {
  const text = param(page, 'span');
  return text === null ? [0, 1] : text.split('-').map(Number);
}

test('the wheel zooms at the pointer, drag and Shift pan, a reload shows the same', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    const { x, y, width } = await place(page);
    const [px, py] = [x + width * 0.3, y + 24 * 12];
    const name = await nameAt(page, px, py);
    for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -120);
    await idle(page);
    const [from = 0, to = 1] = span(page);
    assert.ok(to - from < 0.5, `${from}-${to}`);
    assert.ok(Math.abs(from + 0.3 * (to - from) - 0.3) < 0.01, 'the place under the pointer moved');
    assert.equal(await nameAt(page, px, py), name);
    await shot(page, 'flame-wheel');
    await page.mouse.down();
    await page.mouse.move(px + 100, py, { steps: 4 });
    await page.mouse.up();
    await idle(page);
    const dragged = span(page);
    assert.ok(Math.abs((dragged[0] ?? 0) - (from - (100 / width) * (to - from))) < 0.01, String(dragged));
    assert.equal(param(page, 'zoom'), null, 'a drag is no click');
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, 50);
    await page.keyboard.up('Shift');
    await idle(page);
    assert.ok((span(page)[0] ?? 0) > (dragged[0] ?? 0));
    const painted = await page.locator('canvas').getAttribute('data-painted');
    const address = page.url();
    await page.reload();
    await idle(page);
    assert.equal(page.url(), address);
    assert.equal(await page.locator('canvas').getAttribute('data-painted'), painted);
    // The bar above tells which part that is, and leads elsewhere.
    const bar = page.locator('.flame-overview');
    assert.equal(await bar.getAttribute('role'), 'scrollbar');
    await bar.focus();
    await page.keyboard.press('ArrowRight');
    await idle(page);
    assert.notEqual(page.url(), address);
    await page.locator('[data-flame]').focus();
    await page.keyboard.press('Escape');
    await idle(page);
    assert.equal(param(page, 'span'), null);
  });
});

test('Escape goes back by steps, twice or 0 all the way', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    const deep = async () => {
      await page.locator('[data-flame]').focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
      await idle(page);
      const first = param(page, 'zoom');
      assert.notEqual(first, null);
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
      await idle(page);
      assert.notEqual(param(page, 'zoom'), first);
      return first;
    };
    await deep();
    const inner = param(page, 'zoom');
    await page.keyboard.press('Escape');
    await idle(page);
    assert.notEqual(param(page, 'zoom'), inner);
    assert.notEqual(param(page, 'zoom'), null, 'one step is not all the way');
    await page.keyboard.press('0');
    await idle(page);
    assert.equal(param(page, 'zoom'), null);
    await page.keyboard.press('Escape');
    await deep();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await idle(page);
    assert.equal(param(page, 'zoom'), null);
  });
});

test('search leads from match to match and brings them into sight', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    await page.keyboard.press('/');
    await page.keyboard.type('alloc');
    await idle(page);
    const says = page.locator('#search-says');
    const n = Number(/^(\d+) boxes/.exec((await says.textContent()) ?? '')?.[1]);
    assert.ok(n > 2, (await says.textContent()) ?? '');
    assert.match((await says.textContent()) ?? '', /· [\d.]+ [KMG]iB · [\d.]+ %$/);
    await page.keyboard.press('ArrowDown');
    await idle(page);
    assert.match((await says.textContent()) ?? '', new RegExp(`^1 of ${n} boxes`));
    assert.match((await page.locator('[data-cursor]').textContent()) ?? '', /alloc/i);
    await page.locator('[aria-label="Next match"]').click();
    await idle(page);
    assert.match((await says.textContent()) ?? '', new RegExp(`^2 of ${n} boxes`));
    await page.keyboard.press('F3');
    await idle(page);
    assert.match((await says.textContent()) ?? '', new RegExp(`^3 of ${n} boxes`));
    await page.locator('[data-flame]').focus();
    for (const key of ['N', 'N', 'N']) await page.keyboard.press(key);
    await idle(page);
    // There is more to find where one looks closely.
    assert.match((await says.textContent()) ?? '', new RegExp(`^${n} of \\d+ boxes`), 'before the first comes the last');
    await shot(page, 'flame-hit');
    assert.match((await page.locator('[data-selected]').textContent()) ?? '', /alloc/i);
  });
});

test('the flame graph leads to the same data as a table', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph?inverted=t');
    await page.getByRole('link', { name: 'As a table' }).click();
    await idle(page);
    assert.equal(new URL(page.url()).pathname, '/tree');
    assert.equal(param(page, 'inverted'), 't');
  });
});

test('a base colours boxes by their difference, and either side gives the width', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph?dump=2&base=0');
    const { x, y } = await place(page);
    await page.mouse.move(x + 40, y + 18);
    const text = (await page.locator('.tooltip').textContent()) ?? '';
    assert.match(text, /since base/);
    assert.match(text, /before/);
    await page.mouse.move(5, 5);
    const picture = () => page.locator('canvas').screenshot();
    const both = await picture();
    await page.getByRole('radio', { name: 'base' }).check({ force: true });
    await idle(page);
    assert.equal(param(page, 'scale'), 'base');
    assert.ok(!both.equals(await picture()));
    assert.equal(await page.getByRole('img', { name: /shrank.*grew/ }).count(), 1);
    await shot(page, 'flame-scale-base');
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byKey, idle, nameInRow, onPage, param, rows, shot, visible } from './page.mjs';

test('search highlights, counts, says where it is wrong, and becomes a filter', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    const word = (await nameInRow(page, 0)).split('::').at(-1)?.replace(/\W.*/, '') ?? '';
    await page.keyboard.press('/');
    await page.keyboard.type(word);
    await idle(page);
    assert.match((await page.locator('#search-status').textContent()) ?? '', /^[\d,]+ of [\d,]+ rows · .+ · .+%$/);
    assert.ok((await page.locator('tr.hit').count()) > 0);
    for (const view of ['flame', 'graph']) {
      await page.locator(`.tab[data-view="${view}"]`).click();
      await idle(page);
      assert.match((await page.locator('#search-status').textContent()) ?? '', /(box|boxes|nodes?) · |no match/);
      await shot(page, `search-${view}`);
    }
    await page.keyboard.press('/');
    await page.keyboard.type('foo(bar');
    await idle(page);
    assert.match((await page.locator('.search-bad').textContent()) ?? '', /At character 4: this \( is never closed/);
    await shot(page, 'search-bad');
    await page.locator('.search-input').fill(word);
    await page.keyboard.press('Enter');
    await idle(page);
    assert.equal(param(page, 'f'), word);
    assert.match((await page.locator('.chip').textContent()) ?? '', /Focus/);
  });
});

test('focuses through the menu and takes the filter off again', async () => {
  await onPage(async (go) => {
    const page = await go('/top?sort=cum');
    const name = await nameInRow(page, 8);
    const before = (await rows(page)).length;
    await page.locator('tr[data-row="8"]').click({ button: 'right' });
    await shot(page, 'menu');
    await page.locator('[data-action="focus"]').click();
    await idle(page);
    assert.equal(param(page, 'f')?.replaceAll('\\', ''), `^${name}$`.replaceAll('\\', ''));
    assert.equal(await page.locator('.chip[data-field="focus"] .chip-text').textContent(), name);
    await page.locator('tr[data-row="0"]').click({ button: 'right' });
    await page.locator('[data-action="hide"]').click();
    await idle(page);
    assert.equal(await page.locator('.chip').count(), 2);
    await page.locator('.chip-remove').first().click();
    await idle(page);
    await page.locator('.chip-remove').first().click();
    await idle(page);
    assert.equal(param(page, 'f'), null);
    assert.equal((await rows(page)).length, before);
  });
});

test('zooms the flame graph and comes back', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    const box = await page.locator('[data-flame]').boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x + 40, box.y + 78);
    assert.match((await page.locator('.tooltip').textContent()) ?? '', /[\d,]+ bytes/);
    await shot(page, 'flame-tooltip');
    await page.mouse.click(box.x + 40, box.y + 78);
    await page.mouse.move(5, 5);
    await idle(page);
    const whole = await visible(page);
    await page.mouse.dblclick(box.x + 40, box.y + 78);
    await idle(page);
    const zoom = param(page, 'zoom');
    assert.match(zoom ?? '', /^[0-9a-f]+$/);
    assert.match((await page.locator('.flame-crumbs').textContent()) ?? '', /all memory/);
    await shot(page, 'flame-zoomed');
    await page.goBack();
    await idle(page);
    assert.equal(param(page, 'zoom'), null);
    await page.mouse.move(5, 5);
    await idle(page);
    assert.equal(await visible(page), whole);
    await page.goForward();
    await idle(page);
    await page.locator('.flame-crumbs a').first().click();
    await idle(page);
    assert.equal(param(page, 'zoom'), null);
  });
});

test('a reload keeps everything', async () => {
  await onPage(async (go) => {
    const page = await go('/top?sort=cum');
    const name = await nameInRow(page, 5);
    for (const path of ['/top?nf=0&order=-name', '/flamegraph?inverted=t', '/graph?n=20', '/callers?peek=a']) {
      await go(`${path}&sel=${encodeURIComponent(name)}&q=a`);
      const before = await visible(page);
      const address = page.url();
      await page.reload();
      await idle(page);
      assert.equal(page.url(), address);
      assert.equal(await visible(page), before, path);
    }
  });
});

test('a base shows differences everywhere', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    await page.locator('button[name="dumps"]').click();
    await page.locator('select[name="base"]').selectOption('0');
    await page.keyboard.press('Escape');
    await idle(page);
    assert.equal(param(page, 'base'), '0');
    // The last one of the series is shown without being named.
    assert.equal(param(page, 'dump'), null);
    assert.match((await page.locator('thead').textContent()) ?? '', /Δ flat/);
    const deltas = await page.locator('.delta').allTextContents();
    assert.ok(
      deltas.every((d) => /^[+−±]/.test(d)),
      deltas.join(),
    );
    await shot(page, 'top-base');
    await byKey(page, 'flame');
    assert.match((await page.locator('.diff-legend').textContent()) ?? '', /freed.*new/);
    await shot(page, 'flame-base');
    await page.locator('.chip[data-field="base"] .chip-remove').click();
    await idle(page);
    assert.equal(await page.locator('.diff-legend').count(), 0);
  });
});

test('both themes, by system and by switch', async () => {
  const ground = () => getComputedStyle(document.body).backgroundColor;
  await onPage(
    async (go) => {
      const page = await go('/flamegraph');
      const dark = await page.evaluate(ground);
      await shot(page, 'flame-dark');
      await page.locator('button[name="theme"]').click();
      await idle(page);
      const light = await page.evaluate(ground);
      assert.notEqual(light, dark);
      await page.reload();
      await idle(page);
      assert.equal(await page.evaluate(ground), light);
    },
    { dark: true },
  );
});

test('a hunt by keyboard alone', async () => {
  await onPage(async (go) => {
    const page = await go('/');
    const press = async (/** @type {string[]} */ ...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('?');
    assert.ok(await page.getByRole('dialog', { name: 'Keys and gestures' }).isVisible());
    await shot(page, 'help');
    await press('Escape');
    await byKey(page, 'top');
    await page.locator('.table-scroll').focus();
    await press('ArrowDown', 'ArrowDown', 'm', 'ArrowDown', 'Escape');
    assert.equal(await page.locator('[role=menu]').count(), 0);
    const name = await nameInRow(page, 1);
    await press('Enter');
    await idle(page);
    assert.equal(await page.locator('[data-middle]').getAttribute('data-middle'), name);
    await byKey(page, 'flame');
    await page.locator('[data-flame]').focus();
    await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
    await idle(page);
    assert.notEqual(param(page, 'zoom'), null);
    await press('Escape');
    await idle(page);
    await press('Escape');
    await idle(page);
    assert.equal(param(page, 'zoom'), null);
  });
});

test('what the server refuses is said in place, with the way out', async () => {
  await onPage(
    async (go) => {
      const page = await go('/top?f=foo(bar');
      assert.match((await page.locator('.problem').textContent()) ?? '', /focus/);
      assert.equal(await page.locator('.chip.broken').count(), 1);
      await page.locator('.problem .primary').click();
      await idle(page);
      assert.ok((await rows(page)).length > 0);
      await go('/flamegraph?zoom=0000000000000001');
      await page.locator('.problem .primary').click();
      await idle(page);
      assert.equal(param(page, 'zoom'), null);
      await go('/top?f=nothing_is_called_like_this');
      assert.match((await page.locator('.problem').textContent()) ?? '', /No stack matches/);
      await go('/nowhere');
      assert.match((await page.locator('.problem').textContent()) ?? '', /Page not found/);
    },
    { expectErrors: true },
  );
});

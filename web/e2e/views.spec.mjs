import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byKey, idle, nameInRow, onPage, param, rows, shot } from './page.mjs';

test('the flame graph is of the whole heap', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    assert.equal(await page.locator('.tab.on').textContent(), 'Flame graph');
    assert.match((await page.locator('.footer').textContent()) ?? '', /[\d.]+ [KMG]iB of [\d.]+ [KMG]iB shown/);
    assert.ok(Number(await page.locator('.flame-canvas').getAttribute('data-painted')) > 5);
    assert.match(await page.title(), /heapview/);
    await shot(page, 'flame-light');
  });
});

test('switches views by tab and by key without a reload', async () => {
  await onPage(async (go) => {
    const page = await go('/');
    await page.evaluate(() => {
      document.body.dataset['kept'] = 'yes';
    });
    for (const [view = '', path = ''] of [
      ['top', '/top'],
      ['graph', '/graph'],
      ['tree', '/tree'],
      ['callers', '/callers'],
      ['source', '/source'],
      ['flame', '/flamegraph'],
    ]) {
      await page.locator(`[data-view="${view}"]`).click();
      await idle(page);
      assert.equal(new URL(page.url()).pathname, path);
      await byKey(page, 'top');
      await byKey(page, view);
      assert.equal(new URL(page.url()).pathname, path);
      await shot(page, `view-${path.slice(1)}`);
    }
    assert.equal(await page.evaluate(() => document.body.dataset['kept']), 'yes');
  });
});

test('the graph is laid out, selects and focuses', async () => {
  await onPage(async (go) => {
    const page = await go('/graph?n=20');
    const nodes = page.locator('.node');
    assert.ok((await nodes.count()) > 3);
    assert.equal(await page.locator('.graph-svg script, .graph-svg foreignObject').count(), 0);
    await nodes.first().click();
    await idle(page);
    const name = (await nodes.first().getAttribute('data-node')) ?? '';
    assert.equal(param(page, 'sel'), name);
    assert.equal(await page.locator('[data-selected]').textContent(), name);
    await shot(page, 'graph-selected');
    await nodes.first().dblclick();
    await idle(page);
    assert.ok(param(page, 'f')?.startsWith('^'));
  });
});

test('callers lead from function to function', async () => {
  await onPage(async (go) => {
    const page = await go('/callers');
    const first = await nameInRow(page, 3);
    await page.locator('tr[data-row="3"]').click();
    await idle(page);
    assert.equal(await page.locator('[data-middle]').getAttribute('data-middle'), first);
    const next = page.locator('[data-walk]').last();
    const name = await next.getAttribute('data-walk');
    await next.click();
    await idle(page);
    assert.equal(await page.locator('[data-middle]').getAttribute('data-middle'), name);
    await shot(page, 'callers');
    await page.goBack();
    await idle(page);
    assert.equal(await page.locator('[data-middle]').getAttribute('data-middle'), first);
  });
});

test('pprof’s addresses mean the same', async () => {
  await onPage(async (go) => {
    const page = await go('/ui/top?sort=cum');
    assert.equal(await page.locator('.tab.on').textContent(), 'Top');
    assert.equal(await page.locator('th[aria-sort="descending"]').textContent(), 'Cum▾');
    const name = await nameInRow(page, 0);
    const pattern = `^${name.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')}$`;
    const peek = await go(`/ui/peek?f=${encodeURIComponent(pattern)}`);
    assert.equal(await peek.locator('[data-middle]').getAttribute('data-middle'), name);
  });
});

test('tables sort by any column and only draw what is seen', async () => {
  await onPage(async (go) => {
    const page = await go('/top?nf=0');
    assert.ok((await rows(page)).length < 80);
    await page.locator('th button', { hasText: 'Name' }).click();
    await idle(page);
    assert.equal(param(page, 'order'), 'name');
    const shown = await Promise.all([1, 2, 3].map((n) => nameInRow(page, n)));
    assert.deepEqual(shown, [...shown].sort());
    await page.locator('th button', { hasText: 'Cum' }).click();
    await idle(page);
    assert.equal(param(page, 'sort'), 'cum');
  });
});

test('the state of names opens to what is missing and what helps', async () => {
  await onPage(async (go) => {
    const page = await go('/');
    await page.locator('.doctor summary').click();
    const text = (await page.locator('.doctor ul').textContent()) ?? '';
    assert.match(text, /libc\.so\.6 \(0% with function names, 0% with lines\): not found/);
    assert.match(text, /--sysroot=DIR/);
    await shot(page, 'doctor');
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, param, shot } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** Whether the middle of an element is in the window of the graph. @param {Page} page @param {string} selector */
async function inSight(page, selector) {
  const [stage, box] = await Promise.all([page.locator('.graph-stage').boundingBox(), page.locator(selector).first().boundingBox()]);
  assert.ok(stage !== null && box !== null);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return x > stage.x && x < stage.x + stage.width && y > stage.y && y < stage.y + stage.height;
}

test('opens with the heaviest function in sight, and nothing of the window wasted', async () => {
  for (const width of [1100, 1920]) {
    await onPage(
      async (go) => {
        const page = await go('/graph');
        // The one whose name is largest.
        const sizes = await page
          .locator('.node')
          .evaluateAll((all) => all.map((node) => Number(node.querySelector('.node-name')?.getAttribute('font-size') ?? 0)));
        const heaviest = sizes.indexOf(Math.max(...sizes));
        assert.ok(await inSight(page, `.node >> nth=${heaviest}`), `at ${width}`);
        await shot(page, `graph-${width}`);
      },
      { width },
    );
  }
});

test('arrow keys go along calls, Enter focuses', async () => {
  await onPage(async (go) => {
    const page = await go('/graph?n=20');
    const nodes = page.locator('.node');
    await nodes.first().focus();
    const start = await nodes.first().getAttribute('data-node');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-node'));
    /** @type {string[]} */
    const way = [];
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('ArrowUp');
      const name = (await focused()) ?? '';
      if (way.at(-1) === name) break;
      way.push(name);
    }
    await idle(page);
    assert.equal(param(page, 'sel'), way.at(-1));
    assert.ok(await inSight(page, '.node.selected'));
    await page.keyboard.press('ArrowDown');
    await idle(page);
    assert.notEqual(await focused(), way.at(-1), 'the first caller has a callee');
    assert.ok(start !== null && way.length > 0);
    await page.keyboard.press('Enter');
    await idle(page);
    assert.ok(param(page, 'f')?.startsWith('^'));
  });
});

test('search leads from node to node and moves the graph there', async () => {
  await onPage(async (go) => {
    const page = await go('/graph');
    await page.keyboard.press('/');
    await page.keyboard.type('a');
    await idle(page);
    const says = page.locator('#search-status');
    const n = Number(/^(\d+) nodes/.exec((await says.textContent()) ?? '')?.[1]);
    assert.ok(n > 2, (await says.textContent()) ?? '');
    for (let i = 1; i <= 3; i++) {
      await page.keyboard.press('ArrowDown');
      await idle(page);
      assert.match((await says.textContent()) ?? '', new RegExp(`^${i} of ${n} nodes`));
      assert.ok(await inSight(page, '.node.selected'));
    }
    await shot(page, 'graph-hit');
  });
});

test('fewer calls and nodes are said, the same is there as a table', async () => {
  await onPage(async (go) => {
    const page = await go('/graph?n=20');
    const edges = page.locator('.edges > g:not(.tag-edge)');
    const before = await edges.count();
    await page.locator('select[name="ef"]').selectOption('0.05');
    await idle(page);
    assert.equal(param(page, 'ef'), '0.05');
    assert.ok((await edges.count()) < before);
    assert.match((await page.locator('.view-bar').textContent()) ?? '', /calls under .*B/);
    await page.getByRole('link', { name: 'View as table' }).click();
    await idle(page);
    assert.equal(new URL(page.url()).pathname, '/top');
  });
});

test('another question while one is laid out leaves one graph: the last', async () => {
  await onPage(async (go) => {
    const page = await go('/graph');
    const slider = page.locator('input[name="n"]');
    await slider.focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'Home']) await page.keyboard.press(key);
    await idle(page);
    assert.equal(param(page, 'n'), '10');
    const said = Number(/(\d+) nodes,/.exec((await page.locator('.view-bar').textContent()) ?? '')?.[1]);
    assert.equal(await page.locator('.node').count(), said);
  });
});

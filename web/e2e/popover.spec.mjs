import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, shot } from './page.mjs';

/** @param {import('playwright-core').Page} page */
const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.tagName);

const PANELS = [
  ['labels', '.labels-panel'],
  ['views', '.views-panel'],
  ['rules', '.rules-panel'],
  ['dumps', '.dumps-box'],
  ['view-options', '.view-options-list'],
  ['download', '[role=menu]'],
  ['columns', '.chooser-list'],
];

test('Escape and a click on its button close a panel and leave the focus on the button', async () => {
  await onPage(
    async (go) => {
      const page = await go('/top');
      for (const [name = '', panel = ''] of PANELS) {
        const button = page.locator(`button[name="${name}"]`);
        await button.click();
        assert.equal(await page.locator(panel).isVisible(), true, name);
        assert.equal(await button.getAttribute('aria-expanded'), 'true', name);
        await page.keyboard.press('Escape');
        assert.equal(await page.locator(panel).count(), 0, name);
        assert.equal(await focused(page), name);
        await page.keyboard.press('Enter');
        assert.equal(await page.locator(panel).isVisible(), true, name);
        await button.click();
        await page.locator(panel).waitFor({ state: 'detached' });
        assert.equal(await focused(page), name);
      }
    },
    { width: 1280 },
  );
});

test('one panel is open at a time, and a click elsewhere closes it', async () => {
  await onPage(
    async (go) => {
      const page = await go('/top');
      for (const [name = ''] of PANELS) {
        // By key, since an open panel may cover the next button.
        await page.locator(`button[name="${name}"]`).focus();
        await page.keyboard.press('Enter');
      }
      assert.equal(await page.locator('.popover:popover-open').count(), 1);
      await page.locator('.crumbs').click();
      await page.locator('.popover:popover-open').waitFor({ state: 'hidden' });
      // Escape closes the panel only: the selection stays.
      await page.locator('tr[data-row="2"]').click();
      await idle(page);
      await page.locator('button[name="labels"]').click();
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('tr[data-row="2"].selected').count(), 1);
    },
    { width: 1280 },
  );
});

test('a function menu stays open when the mouse button is released, at the edges of the window, too', async () => {
  await onPage(
    async (go) => {
      for (const [path, target, x, y] of [
        ['/top', '.table-scroll', 1270, 600],
        ['/flamegraph', '[data-flame]', 640, 60],
        ['/timeline', '.timeline-table .table-scroll', 1270, 80],
      ]) {
        const page = await go(String(path));
        const box = await page.locator(String(target)).boundingBox();
        assert.ok(box !== null);
        const at = { x: Math.min(Number(x), box.x + box.width - 20), y: box.y + Math.min(Number(y), box.height - 10) };
        await page.mouse.move(at.x, at.y);
        await page.mouse.down({ button: 'right' });
        await page.mouse.move(at.x - 1, at.y);
        await page.mouse.up({ button: 'right' });
        await idle(page);
        const menu = await page.locator('[role=menu]').boundingBox();
        assert.ok(menu !== null && menu.x + menu.width <= 1280 && menu.y + menu.height <= 900, `${path}: ${JSON.stringify(menu)}`);
        // Elsewhere: the menu goes there.
        await page.mouse.click(at.x - 300, at.y, { button: 'right' });
        await idle(page);
        assert.equal(await page.locator('[role=menu]').count(), 1, String(path));
        await page.keyboard.press('Escape');
        assert.equal(await page.locator('[role=menu]').count(), 0, String(path));
      }
    },
    { width: 1280 },
  );
});

test('panels stay below their buttons when the window changes, and inside it', async () => {
  for (const dark of [false, true]) {
    for (const width of [1280, 390]) {
      await onPage(
        async (go) => {
          const page = await go('/top?sel=x');
          await page.setViewportSize({ width, height: 700 });
          for (const [name = ''] of PANELS) {
            const button = page.locator(`button[name="${name}"]`);
            if (!(await button.isVisible())) continue;
            await button.click();
            await idle(page);
            await shot(page, `popover-${name}-${width}-${dark ? 'dark' : 'light'}`);
            await page.setViewportSize({ width: width - 20, height: 700 });
            await page.waitForFunction(() => {
              const panel = document.querySelector('.popover:popover-open')?.getBoundingClientRect();
              return panel !== undefined && panel.left >= 0 && panel.right <= window.innerWidth && panel.bottom <= window.innerHeight;
            });
            const [panel, anchor] = [await page.locator('.popover:popover-open').boundingBox(), await button.boundingBox()];
            assert.ok(panel !== null && anchor !== null && Math.abs(panel.y - anchor.y - anchor.height - 6) < 1.5, name);
            await page.keyboard.press('Escape');
            await page.setViewportSize({ width, height: 700 });
          }
        },
        { width, dark },
      );
    }
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byKey, idle, onPage, param, shot, violations } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const WIDTHS = [1440, 1280, 1024, 390];
const PATHS = ['/', '/flamegraph', '/graph', '/top', '/tree', '/callers', '/source', '/sizes', '/types', '/timeline'];

/** Controls that overlap, leave the window or are cut; numbers that are cut. @param {Page} page */
async function faults(page) {
  return page.evaluate(() => {
    /** @type {string[]} */
    const found = [];
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`page too wide: ${scrollWidth} px`);
    const isPhone = clientWidth < 900;
    const name = (/** @type {Element} */ e) => `${[...e.classList].join('.')}:${(e.textContent ?? '').trim().slice(0, 30)}`;
    const selector = '.header > *, .tab, .dumps, .view-options, .search, .labels, .chip, .frame-filter > *, .view-bar > *, .footer > *';
    const all = [...document.querySelectorAll(selector)].map((e) => ({ e, r: e.getBoundingClientRect() }));
    const boxes = all.filter(({ e, r }) => r.width > 0 && r.height > 0 && getComputedStyle(e).position !== 'absolute');
    boxes.forEach(({ e, r }, i) => {
      for (const { e: f, r: s } of boxes.slice(i + 1)) {
        if (e.contains(f) || f.contains(e)) continue;
        const [w, h] = [Math.min(r.right, s.right) - Math.max(r.left, s.left), Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top)];
        if (w > 1 && h > 1) found.push(`overlap: ${name(e)} / ${name(f)}`);
      }
      // On a phone tabs and filters scroll sideways.
      const scrolls = isPhone && e.closest('.tabs, .frame-filter, .view-bar') !== null;
      if (!scrolls && (r.right > clientWidth + 1 || r.left < -1)) found.push(`leaves the window: ${name(e)}`);
    });
    for (const cell of document.querySelectorAll('td.right, .footer-total')) {
      if (cell.scrollWidth > cell.clientWidth) found.push(`cut: ${name(cell)}`);
    }
    return [...new Set(found)];
  });
}

/** Of a node of the graph that is half outside of the window this rule reads half of the text. */
const GRAPH_RULES = { 'label-content-name-mismatch': { enabled: false } };

for (const width of WIDTHS) {
  for (const dark of [false, true]) {
    test(`nothing overlaps or is cut at ${width} px, ${dark ? 'dark' : 'light'}`, { timeout: 240_000 }, async () => {
      await onPage(
        async (go) => {
          for (const path of PATHS) {
            for (const query of ['', '?sel=shop%3A%3Aaudit%3A%3Aremember&q=a', '?dump=2&base=0&f=shop&i=nothing']) {
              const page = await go(path + query);
              // Columns settle on their numbers a moment after they are drawn.
              await page.waitForFunction(() => [...document.querySelectorAll('td.right')].every((c) => c.scrollWidth <= c.clientWidth));
              assert.deepEqual(await faults(page), [], `${path}${query}`);
              if (query.startsWith('?sel'))
                assert.deepEqual(await violations(page, path === '/graph' ? { rules: GRAPH_RULES } : {}), [], path);
            }
          }
        },
        { width, dark },
      );
    });
  }
}

test('on a phone the frame leaves most of the window to the view, the panel is a drawer, and words fit fingers', async () => {
  await onPage(
    async (go) => {
      const page = await go('/top');
      await page.setViewportSize({ width: 390, height: 844 });
      const view = await page.locator('.view').boundingBox();
      assert.ok((view?.height ?? 0) >= 600, `${view?.height} of 844 px`);
      // The name comes first, with a number beside it.
      assert.match((await page.locator('thead th').first().textContent()) ?? '', /Name/);
      assert.ok((await page.locator('thead th').count()) >= 2);
      await page.locator('tr[data-row="1"]').click();
      await idle(page);
      const drawer = await page.locator('.details').boundingBox();
      assert.deepEqual([drawer?.x, Math.round(drawer?.width ?? 0)], [0, 390]);
      assert.ok((drawer?.height ?? 0) < 520 && (drawer?.y ?? 0) > 240);
      assert.equal(await page.locator('.splitter').isVisible(), false);
      await shot(page, 'phone-drawer');
      await page.getByRole('button', { name: 'Clear selection' }).click();
      assert.equal(await page.locator('.details').count(), 0);
      await page.locator('[name="view-options"]').click();
      assert.ok(await page.locator('select[name="si"]').isVisible());
      assert.ok(await page.locator('select[name="unit"]').isVisible());
      await shot(page, 'phone-view');
      await go('/timeline');
      const tab = await page.locator('.tab.on').boundingBox();
      assert.ok(tab !== null && tab.x >= 0 && tab.x + tab.width <= 391, JSON.stringify(tab));
      await go('/flamegraph');
      const seen = await page.locator('.view').innerText();
      assert.doesNotMatch(seen, /click|wheel/i);
      assert.match(seen, /tap/i);
    },
    { width: 390 },
  );
});

test('the panel opens with a selection, is resized by hand and by keys, hidden and brought back, and remembered', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    const panel = page.locator('.details');
    assert.equal(await panel.count(), 0);
    await page.locator('tr[data-row="2"]').click();
    await idle(page);
    const width = async () => Math.round((await panel.boundingBox())?.width ?? 0);
    const first = await width();
    const line = page.getByRole('separator', { name: 'Width of the details panel' });
    const box = await line.boundingBox();
    assert.ok(box !== null);
    await page.mouse.move(box.x, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x - 100, box.y + 200, { steps: 4 });
    await page.mouse.up();
    assert.equal(await width(), first + 100);
    assert.equal(await line.getAttribute('aria-valuenow'), String(first + 100));
    await line.focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await width(), first + 76);
    await page.keyboard.press('End');
    assert.equal(await width(), 240);
    await line.dblclick();
    assert.equal(await width(), first);
    await page.keyboard.press('ArrowLeft');
    await page.locator('.table-scroll').focus();
    await page.keyboard.press(']');
    assert.equal(await panel.count(), 0);
    // Another selection does not bring it back.
    await page.locator('tr[data-row="3"]').click();
    await idle(page);
    assert.equal(await panel.count(), 0);
    await page.reload();
    await idle(page);
    assert.equal(await panel.count(), 0);
    await page.locator('[name="panel"]').click();
    assert.equal(await width(), first + 24);
    assert.equal(await page.locator('[name="panel"]').getAttribute('aria-expanded'), 'true');
    // Without a selection it is about the view.
    await page.keyboard.press(']');
    await page.keyboard.press('Escape');
    await page.keyboard.press(']');
    assert.match((await panel.textContent()) ?? '', /About this view.*Total/s);
  });
});

test('columns are dragged, fitted, moved by keys, and remembered; the ticks of the menu are what is drawn', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    const head = (/** @type {string} */ key) => page.locator(`th:has([data-edge="${key}"])`);
    const width = async (/** @type {string} */ key) => Math.round((await head(key).boundingBox())?.width ?? 0);
    const flat = await width('flat');
    const edge = await page.locator('[data-edge="flat"]').boundingBox();
    assert.ok(edge !== null);
    await page.mouse.move(edge.x + 4, edge.y + 10);
    await page.mouse.down();
    await page.mouse.move(edge.x + 64, edge.y + 10, { steps: 3 });
    await page.mouse.up();
    assert.equal(await width('flat'), flat + 60);
    await page.locator('th button[data-sort="flat"]').focus();
    await page.keyboard.press('Shift+ArrowRight');
    assert.equal(await width('flat'), flat + 76);
    await page.reload();
    await idle(page);
    assert.equal(await width('flat'), flat + 76);
    await page.locator('[data-edge="flat"]').dblclick();
    assert.ok((await width('flat')) <= flat, String(await width('flat')));
    const cut = await page.locator('td.right').evaluateAll((all) => all.filter((c) => c.scrollWidth > c.clientWidth).length);
    assert.equal(cut, 0);
    // Sorting did not happen on the way.
    assert.equal(param(page, 'order'), null);
    await page.locator('button[name="columns"]').click();
    const ticked = await page.locator('.chooser-item:has(input:checked)').allTextContents();
    const drawn = await page.locator('thead th .head-name').evaluateAll((all) => all.map((one) => one.firstChild?.textContent ?? ''));
    assert.deepEqual(ticked, drawn);
    await shot(page, 'columns');
  });
});

test('nothing moves while view options open', async () => {
  for (const width of [1440, 1280, 1024]) {
    await onPage(
      async (go) => {
        const page = await go('/top?dump=2');
        const controls = width > 1180 ? ['.dumps', '.view-options-button', 'select[name="si"]'] : ['.dumps', '.view-options-button'];
        const places = () => Promise.all(controls.map((selector) => page.locator(selector).boundingBox()));
        const before = await places();
        await page.locator('[name="view-options"]').click();
        assert.ok(await page.locator('select[name="unit"]').isVisible());
        assert.ok(await page.locator('select[name="si"]').isVisible());
        assert.deepEqual(await places(), before, String(width));
        await shot(page, `view-options-${width}`);
      },
      { width },
    );
  }
});

test('on a phone controls are in sight, tables of a comparison have the change, and that of growth its slope', async () => {
  await onPage(
    async (go) => {
      const page = await go('/graph');
      await page.setViewportSize({ width: 390, height: 844 });
      const all = await page.locator('.folded-note button').boundingBox();
      assert.ok(all !== null && all.x + all.width <= 390, JSON.stringify(all));
      const tops = await page.locator('.graph-zoom button').evaluateAll((buttons) => buttons.map((one) => one.getBoundingClientRect().top));
      assert.equal(new Set(tops).size, 1);
      for (const [path, head] of [
        ['/?dump=2&base=0', /Function.*Change/s],
        ['/types?dump=2&base=0', /Type.*Change/s],
        ['/top?dump=2&base=0', /Δ flat/],
        ['/tree?dump=2&base=0', /Δ/],
        ['/sizes?dump=2&base=0', /Δ bytes/],
        ['/timeline', /Name.*Slope/s],
      ]) {
        await go(String(path));
        assert.match((await page.locator('thead').first().textContent()) ?? '', /** @type {RegExp} */ (head), String(path));
      }
    },
    { width: 390, level: '' },
  );
});

test('on a phone what opens stays in the window, and callers and source can be read', async () => {
  await onPage(
    async (go) => {
      const page = await go('/top');
      await page.setViewportSize({ width: 390, height: 844 });
      for (const [button, panel] of [
        ['labels', '.labels-panel'],
        ['views', '.views-panel'],
        ['dumps', '.dumps-box'],
        ['view-options', '.view-options-list'],
        ['download', '.menu'],
      ]) {
        await page.locator(`[name="${button}"]`).click();
        const box = await page.locator(`${panel}`).boundingBox();
        assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, `${button} ${JSON.stringify(box)}`);
        await page.keyboard.press('Escape');
      }
      for (const query of ['', '&dump=2&base=0']) {
        await go(`/callers?peek=remember${query}`);
        const widths = await page.locator('.walk-name').evaluateAll((all) => all.map((name) => name.getBoundingClientRect().width));
        assert.ok(widths.length > 1 && widths.every((width) => width > 70), widths.join());
        await shot(page, `phone-callers${query === '' ? '' : '-compared'}`);
      }
      await go('/source?list=blank_page');
      const text = await page.locator('.source-line .source-text').first().boundingBox();
      assert.ok(text !== null && text.x < 200, JSON.stringify(text));
      await shot(page, 'phone-source');
    },
    { width: 390 },
  );
});

test('the logo leads to the Summary of everything', async () => {
  await onPage(async (go) => {
    const page = await go('/top?f=shop&dump=1&si=alloc_space');
    await page.locator('.brand').click();
    await page.locator('.tab.on[data-view="summary"]').waitFor();
    await idle(page);
    assert.deepEqual(
      ['f', 'dump', 'si'].map((name) => param(page, name)),
      [null, null, null],
    );
  });
});

test('where there is no room, options are below View', async () => {
  await onPage(
    async (go) => {
      const page = await go('/top');
      assert.equal(await page.locator('select[name="g"]').isVisible(), false);
      await page.locator('[name="view-options"]').click();
      await page.locator('select[name="g"]').selectOption('files');
      await idle(page);
      assert.equal(param(page, 'g'), 'files');
      await page.locator('select[name="unit"]').selectOption('kB');
      await idle(page);
      assert.equal(param(page, 'unit'), 'kB');
      await shot(page, 'view-options');
      await page.keyboard.press('Escape');
      assert.equal(await page.locator('select[name="g"]').isVisible(), false);
      await byKey(page, 'flame');
      assert.equal(param(page, 'unit'), 'kB');
    },
    { width: 1024 },
  );
});

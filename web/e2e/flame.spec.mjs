import assert from 'node:assert/strict';
import { test } from 'node:test';
import axe from 'axe-core';
import { idle, nameInRow, onPage, param, shot } from './page.mjs';

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

/** Selected function of the details pane. @param {Page} page */
async function selected(page) {
  return (await page.locator('[data-selected]').textContent()) ?? '';
}

/** Pixels that the graph is scrolled by. @param {Page} page */
function scrolled(page) {
  return page.locator('[data-flame]').evaluate((element) => element.scrollTop);
}

/** A row of the graph on the screen, by its number from the top. @param {{ x: number, y: number, width: number }} box @param {number} row @param {number} part */
function inRow({ x, y, width }, row, part = 0.3) {
  return [x + width * part, y + 18 + 20 * row];
}

test('the wheel scrolls, with Ctrl it zooms at the pointer, with Shift it pans; a reload shows the same', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    const { x, y, width } = await place(page);
    const [px, py] = [x + width * 0.3, y + 24 * 12];
    const name = await nameAt(page, px, py);
    await page.mouse.wheel(0, 100);
    await page.waitForFunction(() => (document.querySelector('[data-flame]')?.scrollTop ?? 0) > 0);
    await idle(page);
    assert.equal(param(page, 'span'), null, 'a plain wheel does not zoom');
    assert.match((await page.locator('.notice.on').textContent()) ?? '', /wheel scrolls.*Ctrl.*zoom/);
    await page.locator('[data-flame]').evaluate((element) => element.scrollTo(0, 0));
    await idle(page);
    await page.keyboard.down('Control');
    for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -120);
    await page.keyboard.up('Control');
    await idle(page);
    const [from = 0, to = 1] = span(page);
    assert.ok(to - from < 0.5, `${from}-${to}`);
    assert.ok(Math.abs(from + 0.3 * (to - from) - 0.3) < 0.01, 'the place under the pointer moved');
    assert.equal(await nameAt(page, px, py), name);
    assert.equal(await scrolled(page), 0, 'zooming does not scroll');
    await shot(page, 'flame-wheel');
    await page.mouse.down();
    await page.mouse.move(px + 100, py, { steps: 4 });
    await page.mouse.up();
    await idle(page);
    const dragged = span(page);
    assert.ok(Math.abs((dragged[0] ?? 0) - (from - (100 / width) * (to - from))) < 0.01, String(dragged));
    assert.equal(param(page, 'zoom'), null, 'a drag is no click');
    assert.equal(param(page, 'sel'), null, 'a drag is no click');
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, 50);
    await page.keyboard.up('Shift');
    await idle(page);
    assert.ok((span(page)[0] ?? 0) > (dragged[0] ?? 0));
    const painted = await page.locator('.flame-canvas').getAttribute('data-painted');
    const address = page.url();
    await page.reload();
    await idle(page);
    assert.equal(page.url(), address);
    assert.equal(await page.locator('.flame-canvas').getAttribute('data-painted'), painted);
    await page.locator('[data-flame]').focus();
    await page.keyboard.press('Escape');
    await idle(page);
    assert.equal(param(page, 'span'), null);
  });
});

test('the hint on the wheel comes once', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    const { x, y } = await place(page);
    await page.mouse.move(x + 200, y + 200);
    await page.mouse.wheel(0, 50);
    await page.locator('.notice.on').waitFor();
    await page.reload();
    await idle(page);
    await page.mouse.move(x + 200, y + 210);
    await page.mouse.wheel(0, 50);
    await idle(page);
    assert.equal(await page.locator('.notice.on').count(), 0);
  });
});

test('a menu takes the place of the hint on the wheel', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    const { x, y } = await place(page);
    await page.mouse.move(x + 200, y + 200);
    await page.mouse.wheel(0, 20);
    await page.locator('.notice.on').waitFor();
    await page.mouse.click(x + 200, y + 60, { button: 'right' });
    await page.locator('.menu').waitFor();
    assert.equal(await page.locator('.notice.on').count(), 0);
  });
});

test('a scrollbar and a minimap show the part in view and move it', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    const bar = page.locator('.flame-rows-bar.on');
    assert.equal(await bar.getAttribute('aria-valuenow'), '0');
    await bar.focus();
    await page.keyboard.press('End');
    await idle(page);
    assert.equal(await bar.getAttribute('aria-valuenow'), '100');
    const most = await scrolled(page);
    assert.ok(most > 0);
    await page.keyboard.press('Home');
    // Clicking the lower half of the map scrolls, dragging its rectangle back scrolls back.
    const map = await page.locator('.flame-minimap').boundingBox();
    assert.ok(map !== null);
    await page.mouse.click(map.x + map.width / 2, map.y + map.height - 4);
    await idle(page);
    const low = await scrolled(page);
    assert.ok(low > most / 2, `${low} of ${most}`);
    await page.mouse.move(map.x + map.width / 2, map.y + map.height - 6);
    await page.mouse.down();
    await page.mouse.move(map.x + map.width / 2, map.y + 2, { steps: 4 });
    await page.mouse.up();
    await idle(page);
    assert.ok((await scrolled(page)) < low);
    // Sideways as well, once something is out of view.
    await page.locator('[data-flame]').focus();
    for (const key of ['+', '+', '+']) {
      await page.keyboard.press(key);
      await idle(page);
    }
    const [left = 0] = span(page);
    const part = await page.locator('.minimap-part').boundingBox();
    assert.ok(part !== null && part.width < map.width / 2, String(part?.width));
    await page.mouse.click(map.x + map.width * 0.9, map.y + 10);
    await idle(page);
    assert.ok((span(page)[0] ?? 0) > left);
    await shot(page, 'flame-minimap');
    await page.locator('.flame-minimap').focus();
    const before = page.url();
    await page.keyboard.press('ArrowLeft');
    await idle(page);
    assert.notEqual(page.url(), before);
  });
});

test('a click selects, a double click zooms and the callers stay above', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    const [x = 0, y = 0] = inRow(await place(page), 16);
    const name = await nameAt(page, x, y);
    await page.mouse.click(x, y);
    await idle(page);
    assert.equal(await selected(page), name);
    assert.equal(param(page, 'zoom'), null, 'a click does not zoom');
    // The details panel took some of the width: the second click of a double click hits the same frame all the same.
    const box = await place(page);
    await page.mouse.dblclick(x, y);
    await idle(page);
    assert.notEqual(param(page, 'zoom'), null);
    assert.equal(await nameAt(page, x, y), name, 'the zoomed frame stays where it was');
    // At its full width, and so are its callers.
    const [right = 0] = inRow(box, 16, 0.98);
    assert.equal(await nameAt(page, right, y), name);
    const [, above = 0] = inRow(box, 15);
    const caller = await nameAt(page, right, above);
    assert.notEqual(caller, name);
    assert.match((await page.locator('.tooltip').textContent()) ?? '', /MiB.*caller of the zoomed frame/);
    assert.match(await nameAt(page, ...pair(inRow(box, 0))), /all memory/);
    await shot(page, 'flame-callers-stay');
    // The trail has a separator between any two names, and none is pressed into another.
    const trail = page.locator('.flame-crumbs li');
    const places = await trail.evaluateAll((all) => all.map((li) => li.getBoundingClientRect()).map(({ left, right }) => [left, right]));
    assert.ok(places.length >= 3);
    places.forEach(([left = 0], i) => assert.ok(i === 0 || left >= (places[i - 1]?.[1] ?? 0) - 0.5, JSON.stringify(places)));
    const marks = await trail.evaluateAll((all) => all.slice(1).map((li) => getComputedStyle(li, '::before').content));
    assert.ok(
      marks.every((mark) => mark.includes('›')),
      marks.join(),
    );
    // A double click on a caller zooms out to it.
    await page.mouse.dblclick(right, above);
    await idle(page);
    assert.equal(await selected(page), caller);
    assert.equal(await nameAt(page, right, above), caller);
    await page.mouse.dblclick(...pair(inRow(box, 0)));
    await idle(page);
    assert.equal(param(page, 'zoom'), null);
  });
});

/** @param {number[]} point @returns {[number, number]} */
function pair([x = 0, y = 0]) {
  return [x, y];
}

test('a zoom by keys selects, zooms and shows the callers’ own sums', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    await page.locator('[data-flame]').focus();
    for (let i = 0; i < 17; i++) await page.keyboard.press('ArrowDown');
    const spoken = (await page.locator('[data-cursor]').textContent()) ?? '';
    await page.keyboard.press('Enter');
    await idle(page);
    assert.notEqual(param(page, 'zoom'), null);
    assert.equal(await page.locator('[data-cursor]').textContent(), spoken, 'the cursor stays on the frame');
    await page.keyboard.press('ArrowUp');
    const above = (await page.locator('[data-cursor]').textContent()) ?? '';
    assert.match(above, /: [\d.]+ [KMG]iB, /);
    assert.notEqual(above, spoken);
    // A link shows the same.
    const address = page.url();
    await page.goto(address);
    await idle(page);
    assert.equal(page.url(), address);
    assert.ok((await page.locator('.flame-crumbs li').count()) >= 3);
  });
});

test('colours are by package, kind or value, with a legend; the address says which', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    const legend = async () => (await page.locator('.flame-legend').textContent()) ?? '';
    const picture = () => page.locator('.flame-canvas').screenshot();
    assert.match(await legend(), /shop/);
    const byPackage = await picture();
    await page.locator('select[name="color"]').selectOption('kind');
    await idle(page);
    assert.equal(param(page, 'color'), 'kind');
    assert.match(await legend(), /runtime/);
    const byKind = await picture();
    assert.ok(!byPackage.equals(byKind));
    await page.locator('select[name="color"]').selectOption('value');
    await idle(page);
    assert.match(await legend(), /self.*≤1%.*>25%/);
    assert.ok(!byKind.equals(await picture()));
    await page.reload();
    await idle(page);
    assert.equal(await page.locator('select[name="color"]').inputValue(), 'value');
    await page.goBack();
    await idle(page);
    assert.equal(param(page, 'color'), 'kind');
  });
});

test('callers above and callees below: of the selected function, from there to the next, and back', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    await page.getByRole('radio', { name: 'Callers & callees' }).check({ force: true });
    await idle(page);
    // Nothing was selected: it is of the function that holds most.
    const middle = param(page, 'around') ?? '';
    assert.match(middle, /^shop::/);
    assert.equal(await selected(page), middle);
    assert.match((await page.locator('.flame-middle').textContent()) ?? '', /Callers above, callees below/);
    await page.locator('[data-flame]').focus();
    await page.keyboard.press('ArrowDown');
    assert.match((await page.locator('[data-cursor]').textContent()) ?? '', new RegExp(middle.split('::').at(-1) ?? ''));
    await page.keyboard.press('ArrowUp');
    await idle(page);
    const caller = await selected(page);
    assert.notEqual(caller, middle);
    await shot(page, 'flame-around');
    // Another filter keeps the function in the middle.
    const address = page.url();
    await page.reload();
    await idle(page);
    assert.equal(page.url(), address);
    await page.locator('[data-flame]').focus();
    for (const key of ['ArrowDown', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await idle(page);
    assert.equal(param(page, 'around'), caller);
    await page.keyboard.press('Escape');
    await idle(page);
    assert.equal(param(page, 'around'), null);
    await page.keyboard.press('s');
    await idle(page);
    assert.equal(param(page, 'around'), caller, 's: of the selected function');
    await page.getByRole('button', { name: 'All stacks' }).click();
    await idle(page);
    assert.equal(param(page, 'around'), null);
  });
});

test('a function that no stack goes through has no callers, and a way back', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph?around=nothing::at_all');
    assert.match((await page.locator('.flame-middle').textContent()) ?? '', /No stack in view goes through nothing::at_all/);
    await page.getByRole('button', { name: 'All stacks' }).click();
    await idle(page);
    assert.equal(await page.locator('.flame-middle').count(), 0);
  });
});

test('split view: the table and the graph share one selection', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    await page.getByRole('button', { name: 'Split view' }).click();
    await idle(page);
    assert.equal(param(page, 'split'), 't');
    await page.locator('.flame-table tr[data-row="1"]').click();
    await idle(page);
    const name = await nameInRow(page, 1);
    assert.equal(await selected(page), name);
    await shot(page, 'flame-split');
    const box = await place(page);
    const [x, y] = pair(inRow(box, 14));
    const other = await nameAt(page, x, y);
    await page.mouse.click(x, y);
    await idle(page);
    assert.equal(await selected(page), other);
    const row = page.locator('.flame-table tr.selected');
    assert.equal(await row.locator('.name-cell').getAttribute('title'), other);
    const table = await page.locator('.flame-table').boundingBox();
    const at = await row.boundingBox();
    assert.ok(table !== null && at !== null && at.y >= table.y && at.y + at.height <= table.y + table.height, 'its row is in sight');
    // Sorting is the table's; Enter on a row puts its function in the middle.
    await page.locator('.flame-table [data-sort="cum"]').click();
    await idle(page);
    await page.locator('.flame-table .table-scroll').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await idle(page);
    assert.equal(param(page, 'around'), await nameInRow(page, 0));
    await page.getByRole('button', { name: 'Split view' }).click();
    await idle(page);
    assert.equal(await page.locator('.flame-table').count(), 0);
  });
});

test('a zoom does not move where motion is unwanted', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    const steps = async () => {
      await page.evaluate(() => {
        const seen = new Set();
        Reflect.set(window, 'seenWidths', seen);
        const note = () => {
          seen.add(document.querySelector('.minimap-part')?.getAttribute('style'));
          window.requestAnimationFrame(note);
        };
        note();
      });
      await page.locator('[data-flame]').focus();
      await page.keyboard.press('+');
      await idle(page);
      return page.evaluate(() => Reflect.get(window, 'seenWidths').size);
    };
    assert.ok((await steps()) > 2, 'it glides');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    assert.ok((await steps()) <= 2, 'it jumps');
  });
});

test('the flame graph with all its parts has nothing that axe finds', async () => {
  await onPage(async (go) => {
    for (const query of ['split=t&sel=shop::audit::remember', 'color=value', 'around=shop::audit::remember']) {
      const page = await go(`/flamegraph?${query}`);
      await page.evaluate(axe.source);
      const found = await page.evaluate(async () => {
        const { violations } = await Reflect.get(window, 'axe').run('.view', { resultTypes: ['violations'] });
        const lines = [];
        for (const { id, nodes } of violations) for (const node of nodes) lines.push(`${id}: ${node.target.join(' ')}`);
        return lines;
      });
      assert.deepEqual(found, [], query);
    }
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
    const says = page.locator('#search-status');
    const n = Number(/^(\d+) boxes/.exec((await says.textContent()) ?? '')?.[1]);
    assert.ok(n > 2, (await says.textContent()) ?? '');
    assert.match((await says.textContent()) ?? '', /· [\d.]+ [KMG]iB · [\d.]+%$/);
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
    for (const key of ['N', 'N']) {
      await page.keyboard.press(key);
      await idle(page);
    }
    // There is more to find where one looks closely: what is counted now is what the next step goes round.
    const seen = Number(/^1 of (\d+) boxes/.exec((await says.textContent()) ?? '')?.[1]);
    assert.ok(seen >= n, (await says.textContent()) ?? '');
    await page.keyboard.press('N');
    await idle(page);
    assert.match((await says.textContent()) ?? '', new RegExp(`^${seen} of \\d+ boxes`), 'before the first comes the last');
    await shot(page, 'flame-hit');
    assert.match((await page.locator('[data-selected]').textContent()) ?? '', /alloc/i);
  });
});

test('the flame graph leads to the same data as a table', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph?inverted=t');
    await page.getByRole('link', { name: 'View as table' }).click();
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
    assert.match(text, /since baseline/);
    assert.match(text, /before/);
    await page.mouse.move(5, 5);
    const picture = () => page.locator('.flame-canvas').screenshot();
    const both = await picture();
    await page.getByRole('radio', { name: 'before' }).check({ force: true });
    await idle(page);
    assert.equal(param(page, 'scale'), 'base');
    assert.ok(!both.equals(await picture()));
    assert.equal(await page.getByRole('img', { name: /shrank.*grew/ }).count(), 1);
    await shot(page, 'flame-scale-base');
  });
});

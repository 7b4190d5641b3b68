import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage } from './page.mjs';

/** One system of units on the page: B, KiB, MiB; and `%` right behind its number. */

const PATHS = ['/', '/flamegraph', '/graph', '/top', '/tree', '/callers', '/source', '/sizes', '/types', '/timeline'];
const WAYS = ['?sel=shop::audit::remember', '?dump=2&base=0', '?dump=2&unit=MB', '?si=alloc_objects'];

/** Everything that is written on the page: texts, titles, and what screen readers hear. @param {import('playwright-core').Page} page */
async function written(page) {
  return page.evaluate(() => {
    const all = [...document.querySelectorAll('#app *')];
    const own = (/** @type {Element} */ element) =>
      [...element.childNodes].map((node) => (node.nodeType === window.Node.TEXT_NODE ? (node.textContent ?? '') : '\u0001')).join('');
    const said = ['title', 'aria-label', 'aria-valuetext', 'placeholder'];
    return all.flatMap((element) => [own(element), ...said.map((name) => element.getAttribute(name) ?? '')]);
  });
}

/** Numbers in another system than the page's: `1.5MB`, `12 kB`, `1K`, `50 %`. @param {readonly string[]} texts */
function foreign(texts) {
  const wrong = /\d\s?(?:[kKMGTP]B|[kKMGT])\b|\d(?:B|[KMGTP]iB)\b|\d\s+%/;
  return [...new Set(texts.filter((text) => wrong.test(text)))];
}

test('numbers of other systems are found', () => {
  assert.deepEqual(foreign(['1.5 MiB', '12 B', '50%', '44,745', 'Flat %', 'x86_64', 'Vec<u8>', '+3.88 ± 0.05 KiB']), []);
  const wrong = ['1.5MB', '12 kB', '896.02kB', '50 %', '12B', '3MiB'];
  assert.deepEqual(foreign(wrong), wrong);
});

test('every view writes KiB and MiB, and % without a blank', { timeout: 240_000 }, async () => {
  await onPage(async (go) => {
    for (const path of PATHS) {
      for (const way of WAYS) {
        const page = await go(path + way);
        const texts = await written(page);
        assert.deepEqual(foreign(texts), [], path + way);
        // Counted in objects some views have no bytes at all.
        if (!way.startsWith('?si')) assert.match(texts.join('\n'), /\d [KM]iB/, path + way);
      }
    }
  });
});

test('tooltips and the copied summary use the units of the page', async () => {
  await onPage(async (go) => {
    let page = await go('/flamegraph');
    const flame = await page.locator('[data-flame]').boundingBox();
    assert.ok(flame !== null);
    await page.mouse.move(flame.x + 200, flame.y + 80);
    await page.mouse.move(flame.x + 201, flame.y + 81);
    await page.locator('.tooltip').waitFor();
    const tips = [(await page.locator('.tooltip').innerText()) ?? ''];
    page = await go('/sizes');
    const chart = await page.locator('.size-chart').boundingBox();
    assert.ok(chart !== null);
    // From the right: the largest sizes hold the most.
    for (let x = chart.width - 20; x > 80 && (await page.locator('.tooltip').count()) === 0; x -= 40)
      await page.mouse.move(chart.x + x, chart.y + 200);
    tips.push(await page.locator('.tooltip').innerText());
    for (const way of ['', '?dump=2&base=0', '?dump=2&unit=kB']) {
      await go(`/${way}`);
      await idle(page);
      tips.push(await page.evaluate(async (query) => (await (await fetch(`/api/v1/explain${query}`)).json()).markdown, way));
    }
    assert.deepEqual(
      tips.filter((text) => !/\d [KM]iB/.test(text)),
      [],
    );
    assert.deepEqual(foreign(tips), []);
  });
});

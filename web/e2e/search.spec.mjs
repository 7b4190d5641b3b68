import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, param, shot, violations } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page @param {string} text */
async function search(page, text) {
  await page.keyboard.press('/');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
  await idle(page);
}

/** What the search box reports. @param {Page} page */
async function said(page) {
  await page.waitForFunction(() => (document.querySelector('.search-status')?.textContent ?? '') !== '');
  return (await page.locator('.search-status').textContent()) ?? '';
}

/** View → path, what it counts, what it marks. @type {readonly (readonly [string, RegExp, string])[]} */
const VIEWS = [
  ['/', /^1 of \d+ functions/, '.summary tr.hit, .summary li.hit'],
  ['/flamegraph', /^\d+ box|^1 of \d+ box/, '.flame-canvas'],
  ['/graph', /^\d+ node|^1 of \d+ node/, '.node.hit'],
  ['/top', /^1 of \d+ rows/, 'tr.hit'],
  ['/tree', /^\d+ open rows?|^no match in this view/, '.tree'],
  ['/callers', /^1 of \d+ functions/, 'tr[data-row]'],
  ['/callers?peek=audit%3A%3Aremember', /^1 of \d+ functions/, 'li.hit'],
  ['/sizes', /^[01] of \d+ functions?|^no match/, '.sizes'],
  ['/timeline', /^1 of \d+ functions/, 'tr.hit'],
  ['/source?list=blank_page', /^\d+ lines?|^no match/, '.source'],
];

for (const [width, dark] of /** @type {const} */ ([
  [1440, false],
  [1280, true],
  [1024, false],
  [390, true],
])) {
  test(`every view answers a search at ${width} px`, { timeout: 120_000 }, async () => {
    await onPage(
      async (go) => {
        for (const [path, count, marked] of VIEWS) {
          const page = await go(path);
          await search(page, 'audit::blank_page');
          assert.match(await said(page), count, path);
          assert.ok((await page.locator(marked).count()) > 0, path);
          await search(page, 'zzz_not_there');
          assert.match(await said(page), /^no match/, path);
          // Nothing to filter: no promise of what Enter does.
          assert.equal(await page.locator('.search-ways').count(), 0, path);
        }
        const types = await go('/types');
        await search(types, 'Vec<u8>');
        assert.match(await said(types), /^\d+ of \d+ types · [\d.]+ [KM]iB/);
        assert.ok((await types.locator('tr.hit').count()) > 0);
        await types.keyboard.press('Enter');
        await idle(types);
        assert.equal(param(types, 'type'), 'Vec<u8>');
      },
      { width, dark },
    );
  });
}

test('the Summary says what Enter does, does it, and leads to the flame graph', async () => {
  await onPage(async (go) => {
    const page = await go('/');
    await search(page, 'audit');
    assert.match((await page.locator('.search-ways').textContent()) ?? '', /Enter: only these.*see in Flame graph/);
    assert.deepEqual(await violations(page), []);
    await shot(page, 'search-summary');
    await page.locator('.search-ways a').click();
    await idle(page);
    assert.match(page.url(), /\/flamegraph\?/);
    assert.equal(param(page, 'q'), 'audit');
    await page.goBack();
    await idle(page);
    await page.locator('.search-input').focus();
    await page.keyboard.press('Enter');
    await idle(page);
    assert.deepEqual([param(page, 'f'), param(page, 'q')], ['audit', null]);
    assert.equal(await page.locator('.chip').count(), 1);
  });
});

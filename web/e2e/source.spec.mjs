import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byKey, idle, onPage, param, shot } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const REMEMBER = '/source?list=%5Eshop%3A%3Aaudit%3A%3Aremember%24&sel=shop%3A%3Aaudit%3A%3Aremember';

/** Number of the selected line. @param {Page} page */
const selected = (page) => page.locator('tr.source-line.selected').getAttribute('data-line');

/** @param {Page} page @param {string} key */
async function press(page, key) {
  await page.keyboard.press(key);
  await idle(page);
}

test('from opening to the source line by keyboard alone', async () => {
  await onPage(async (go) => {
    const page = await go('/');
    await byKey(page, 'top');
    assert.equal(await page.locator('.tab.on').textContent(), 'Top');
    await page.keyboard.press('/');
    await page.keyboard.type('audit::remember');
    await idle(page);
    await page.keyboard.press('Enter');
    await idle(page);
    // The filter holds; now into the table and to the function.
    for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement?.classList.contains('table-scroll'))); i++)
      await page.keyboard.press('Tab');
    for (let i = 0; i < 80 && param(page, 'sel') !== 'shop::audit::remember'; i++) await press(page, 'ArrowDown');
    assert.equal(param(page, 'sel'), 'shop::audit::remember');
    await byKey(page, 'source');
    assert.equal(new URL(page.url()).pathname, '/source');
    assert.equal(await selected(page), '10');
    assert.match((await page.locator('tr.source-line.selected').textContent()) ?? '', /MiB.*let mut page = blank_page\(\);/);
    await press(page, 'Enter');
    assert.match((await page.locator('tr.source-step').first().textContent()) ?? '', /shop::audit::blank_page.*inlined/);
    await shot(page, 'source-keyboard');
    await press(page, 'Enter');
    assert.equal(await page.locator('tr.source-step').count(), 0);
  });
});

test('hot lines are reached by n and p, and the line is in the address', async () => {
  await onPage(async (go) => {
    const page = await go('/source?list=%5Eshop%3A%3ATill%3A%3Aserve%24');
    const first = Number(await selected(page));
    await press(page, 'n');
    const next = Number(await selected(page));
    assert.notEqual(next, first);
    assert.equal(param(page, 'line'), String(next));
    await press(page, 'p');
    assert.equal(Number(await selected(page)), first);
    await press(page, 'ArrowDown');
    assert.equal(Number(await selected(page)), first + 1);
    await page.reload();
    await idle(page);
    assert.equal(Number(await selected(page)), first + 1);
  });
});

test('syntax is coloured by nodes, and the code stands beside its line', async () => {
  await onPage(
    async (go) => {
      const page = await go(REMEMBER);
      assert.equal(await page.locator('tr[data-line="10"] .tok-keyword').first().textContent(), 'let');
      await press(page, 'd');
      assert.equal(param(page, 'line_code'), 't');
      const code = page.locator('.source-code');
      assert.match((await code.textContent()) ?? '', /callq/);
      assert.equal(await code.locator('tr.code-line.selected .source-number').textContent(), '10');
      await page.locator('.segmented label', { hasText: 'Intel' }).click();
      await idle(page);
      assert.equal(param(page, 'intel_syntax'), 't');
      assert.doesNotMatch((await code.textContent()) ?? '', /callq/);
      // Lines lead to code, and code to lines.
      await page.locator('tr[data-line="11"]').click();
      await idle(page);
      assert.equal(await code.locator('tr.code-line.selected .source-number').textContent(), '11');
      await code.locator('tr.code-code[data-code-line="10"]').last().click();
      await idle(page);
      assert.equal(await selected(page), '10');
      await shot(page, 'source-code-dark');
      await press(page, 'd');
      assert.equal(await page.locator('.source-code').count(), 0);
    },
    { dark: true },
  );
});

test('a call leads to its own source, and back', async () => {
  await onPage(async (go) => {
    const page = await go(`${REMEMBER}&lines=10`);
    await page.locator('[data-step="shop::audit::blank_page"]').click();
    await idle(page);
    assert.equal(param(page, 'sel'), 'shop::audit::blank_page');
    assert.match((await page.locator('tr.source-line.selected').textContent()) ?? '', /vec!\[0x20; 1200\]/);
    await page.goBack();
    await idle(page);
    assert.equal(await selected(page), '10');
  });
});

test('a file that is not here is told with where it was looked for and what helps', async () => {
  await onPage(async (go) => {
    const page = await go('/source?list=%5Ealloc%3A%3Avec%3A%3Afrom_elem%24');
    const text = (await page.locator('.source-missing').textContent()) ?? '';
    if (text !== '') {
      assert.match(text, /\/rustc\/.*\/vec\/mod\.rs was not found/);
      assert.match(text, /Try: .*rust-src/);
      assert.match((await page.locator('.source-table').textContent()) ?? '', /source unavailable/);
    } else assert.ok((await page.locator('.source-text code').count()) > 0);
    await shot(page, 'source-missing');
  });
});

test('the menu and the details lead to source, and to the editor that was chosen', async () => {
  await onPage(async (go) => {
    const page = await go('/top?sel=shop%3A%3Aaudit%3A%3Aremember');
    const snippet = page.locator('.snippet');
    assert.match((await snippet.textContent()) ?? '', /10.*let mut page = blank_page\(\);/);
    assert.equal(await snippet.locator('a[href^="vscode:"]').count(), 0);
    await snippet.locator('a', { hasText: 'Open full source' }).click();
    await idle(page);
    assert.equal(await selected(page), '10');
    // Links to other programs are caught: none is installed here.
    await page.evaluate(() => {
      window.HTMLAnchorElement.prototype.click = function () {
        document.body.dataset['opened'] = this.href;
      };
    });
    const opened = () => page.evaluate(() => document.body.dataset['opened'] ?? '');
    // The first time it asks which editor, and opens the line with the answer.
    await page.locator('.source-scroll').focus();
    await page.keyboard.press('e');
    await shot(page, 'editor-question');
    await page.locator('dialog.editor-dialog [data-editor="zed"]').click();
    assert.match(await opened(), /^zed:\/\/file\/.*audit\.rs:10$/);
    await page.locator('dialog.editor-dialog[open]').waitFor({ state: 'detached' });
    // From then on it does not ask.
    await page.locator('.source-scroll').focus();
    await page.keyboard.press('ArrowDown');
    await idle(page);
    await page.keyboard.press('e');
    assert.match(await opened(), /audit\.rs:11$/);
    assert.equal(await page.locator('dialog.editor-dialog[open]').count(), 0);
    await page.keyboard.press('ArrowUp');
    await page.locator('select[name="editor"]').selectOption('vscode');
    const link = (await page.locator('.source-editor a').getAttribute('href')) ?? '';
    assert.match(link, /^vscode:\/\/file\/.*\/testdata\/programs\/rust\/audit\.rs:10$/);
    await page.goBack();
    await idle(page);
    assert.equal(await snippet.locator('a[href^="vscode:"]').getAttribute('href'), link);
    await page.keyboard.press('m');
    await page.locator('[data-action="source"]').click();
    await idle(page);
    assert.equal(new URL(page.url()).pathname, '/source');
  });
});

test('machine code shows changes in a comparison, values otherwise', async () => {
  await onPage(async (go) => {
    for (const [query, head, value] of /** @type {const} */ ([
      ['', /^Flat,Cum$/, /^[\d.]+ MiB$/],
      ['&dump=2&base=0', /^Δ flat,Δ cum$/, /^\+[\d.]+ MiB$/],
    ])) {
      const code = (await go(`/source?list=audit%3A%3Aremember&line_code=t${query}`)).locator('.source-code');
      assert.match((await code.locator('th').allTextContents()).slice(1, 3).join(), head);
      const numbers = await code.locator('tr.code-code td:nth-child(3)').allTextContents();
      const shown = numbers.filter((text) => text !== '');
      assert.ok(shown.length > 0);
      for (const text of shown) assert.match(text, value);
    }
  });
});

test('pprof’s addresses of source and code, and a choice where none is asked for', async () => {
  await onPage(async (go) => {
    const old = await go('/ui/source?f=audit%3A%3Aremember');
    assert.match((await old.locator('.source-name').getAttribute('title')) ?? '', /shop::audit::/);
    const code = await go('/ui/disasm?f=audit%3A%3Aremember');
    assert.ok((await code.locator('.source-code tr.code-code').count()) > 5);
    const page = await go('/source');
    await page.locator('tr[data-row="0"]').click();
    await idle(page);
    assert.notEqual(param(page, 'list'), null);
    await page.goBack();
    await idle(page);
    assert.equal(param(page, 'list'), null);
  });
});

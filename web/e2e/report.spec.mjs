import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { exported, onFile, skip } from './report-file.mjs';
import { byKey, idle, nameInRow, onPage, rows, serve, shot, violations } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** A parameter of the address behind the `#`. @param {Page} page @param {string} name */
function param(page, name) {
  return new URL(new URL(page.url()).hash.slice(1) || '/', 'file:///').searchParams.get(name);
}

/** @param {Page} page */
async function tabs(page) {
  return page.locator('.tab').evaluateAll((all) => all.map((tab) => tab.getAttribute('data-view') ?? ''));
}

const SHOP = ['bin/shop', ...[1, 2, 3].map((n) => `gperftools/shop.000${n}.heap`)];

for (const dark of [false, true]) {
  const theme = dark ? 'dark' : 'light';
  test(`a report file shows every view without a server, in the ${theme} theme`, { skip, timeout: 180_000 }, async () => {
    await exported(SHOP, async (url) => {
      await onFile(url, dark, async (page) => {
        assert.match(await page.title(), /^shop inuse_space · heapview report \d{4}-\d\d-\d\d$/);
        assert.match((await page.locator('.footer').textContent()) ?? '', /report file made \d{4}-\d\d-\d\d \d\d:\d\d by heapview \d/);
        assert.equal(await page.locator('.lost.on, .problem, [name=open-show]').count(), 0);
        const views = await tabs(page);
        assert.ok(views.includes('summary') && views.includes('source') && views.length >= 8, views.join());
        /** @type {Record<string, string>} */
        const byTab = {};
        for (const view of views) {
          await page.locator(`.tab[data-view=${view}]`).click();
          await idle(page);
          assert.equal(await page.locator('.tab.on').getAttribute('data-view'), view);
          assert.equal(await page.locator('.problem, .waiting').count(), 0, view);
          byTab[view] = (await page.locator('.view').textContent()) ?? '';
          assert.ok((byTab[view] ?? '').length > 50 || (await page.locator('.view canvas').count()) > 0, view);
          await shot(page, `report-${view}-${theme}`);
        }
        for (const view of views) {
          await byKey(page, view);
          assert.equal(await page.locator('.tab.on').getAttribute('data-view'), view);
        }
        for (const view of ['summary', 'top']) {
          await byKey(page, view);
          assert.deepEqual(await violations(page), [], view);
        }
      });
    });
  });
}

test('a report file is searched, focused, zoomed, and comes back as it was', { skip, timeout: 180_000 }, async () => {
  await exported(SHOP, async (url) => {
    await onFile(url, false, async (page) => {
      await byKey(page, 'top');
      await page.locator('select[name="show"]').selectOption('all');
      await idle(page);
      const all = await rows(page);
      assert.ok(all.length > 10);
      await page.keyboard.press('/');
      await page.keyboard.type('blank_page');
      await page.waitForFunction(() => document.location.hash.includes('q=blank_page'));
      await idle(page);
      assert.match((await rows(page))[0]?.join(' ') ?? '', /blank_page/);
      await page.locator('tr[data-row="0"]').click();
      await page.waitForFunction(() => document.querySelector('.details .details-ways') !== null);
      await idle(page);
      assert.match(param(page, 'sel') ?? '', /blank_page/);
      assert.equal((await page.locator('.details [data-selected]').textContent())?.trim(), param(page, 'sel'));
      await page.locator('.details-ways button', { hasText: 'Focus' }).click();
      await idle(page);
      assert.match(param(page, 'f') ?? '', /blank_page/);
      const focused = await rows(page);
      assert.ok(focused.length < all.length, `${focused.length} rows of ${all.length}`);
      await page.goBack();
      await idle(page);
      assert.equal(param(page, 'f'), null);
      await page.goForward();
      await idle(page);
      assert.deepEqual(await rows(page), focused);
      // What is behind the # is all that a reload has.
      await page.reload();
      await idle(page);
      assert.match(param(page, 'f') ?? '', /blank_page/);
      assert.deepEqual(await rows(page), focused);

      await byKey(page, 'flame');
      const canvas = page.locator('.flame-canvas');
      const box = await canvas.boundingBox();
      assert.ok(box !== null);
      const before = page.url();
      await page.mouse.click(box.x + box.width / 2, box.y + 60);
      await idle(page);
      assert.notEqual(page.url(), before);
      await page.mouse.dblclick(box.x + box.width / 2, box.y + 80);
      await idle(page);
      assert.ok(param(page, 'zoom') !== null || param(page, 'span') !== null, page.url());
      await page.reload();
      await idle(page);
      assert.ok(param(page, 'zoom') !== null || param(page, 'span') !== null, page.url());
      // The function in the middle and the table come from the file as well.
      await page.getByRole('radio', { name: 'Callers & callees' }).check({ force: true });
      await idle(page);
      assert.match((await page.locator('.flame-middle').textContent()) ?? '', /Callers above, callees below/);
      await page.getByRole('button', { name: 'Split view' }).click();
      await idle(page);
      assert.ok((await page.locator('.flame-table tr[data-row]').count()) > 3);
      await page.locator('select[name="color"]').selectOption('kind');
      await idle(page);
      assert.ok((await page.locator('.flame-legend .legend-item').count()) > 0);
      await shot(page, 'report-flame-split');
    });
  });
});

test('what needs a server is not offered in a report file, or said', { skip, timeout: 120_000 }, async () => {
  await exported(SHOP, async (url) => {
    await onFile(url, false, async (page) => {
      await page.locator('button[name=share]').click();
      const share = page.locator('dialog.share');
      assert.match((await share.textContent()) ?? '', /Send this file/);
      assert.doesNotMatch((await share.textContent()) ?? '', /server reaches|-http/);
      await page.keyboard.press('Escape');
      await byKey(page, 'top');
      await page.locator('button[name=download]').click();
      assert.deepEqual(await page.locator('[role=menuitem]').evaluateAll((all) => all.map((item) => item.getAttribute('data-action'))), [
        'Copy as Markdown',
        'Profile',
        'Collapsed stacks',
        'CSV',
        'JSON',
        'Text',
      ]);
      await page.keyboard.press('Escape');
      await page.locator('tr[data-row="1"]').click();
      await page.waitForFunction(() => document.querySelector('.details .details-ways') !== null);
      await page.keyboard.press('m');
      const items = await page.locator('[role=menuitem]').allTextContents();
      assert.ok(
        items.some((item) => item.startsWith('Focus')),
        items.join(),
      );
      assert.ok(!items.some((item) => /editor|Copy link/.test(item)), items.join());
      await page.keyboard.press('Escape');
      await byKey(page, 'source');
      assert.match((await page.locator('.problem').textContent()) ?? '', /This report has no source lines.*heapview -http/);
    });
  });
});

test('texts of a hostile profile stay text in a report file', { skip, timeout: 120_000 }, async () => {
  await exported(['pprof/awkward.pb.gz'], async (url) => {
    await onFile(url, true, async (page) => {
      const made = () =>
        page.evaluate(() => ({
          taken: Reflect.get(window, 'taken'),
          // What is not the page's own is data that has been read, and is gone.
          scripts: document.querySelectorAll('script:not([type])').length,
          made: [...document.querySelectorAll('img, iframe, object, embed, base, meta[http-equiv=refresh]')].map((e) => e.outerHTML),
          handlers: [...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => a.name.startsWith('on'))).length,
          links: [...document.querySelectorAll('a')].map((a) => a.getAttribute('href') ?? '').filter((href) => !href.startsWith('#/')),
        }));
      // The page's own script, and the one that unpacks it.
      const nothing = { taken: undefined, scripts: 2, made: [], handlers: 0, links: [] };
      const name = '<script>window.taken=1</script>';
      const at = async (/** @type {string} */ hash) => {
        await page.goto('about:blank');
        await page.goto(`${url}#${hash}`);
        await idle(page);
      };
      const paths = await page
        .locator('.tab')
        .evaluateAll((all) => all.map((tab) => (tab.getAttribute('href') ?? '').replace(/^#|\?.*/g, '')));
      for (const path of paths) {
        for (const query of ['', '?g=lines', `?sel=${encodeURIComponent(name)}`]) {
          await at(path + query);
          assert.deepEqual(await made(), nothing, path + query);
        }
        await shot(page, `report-hostile-${path.slice(1)}`);
      }
      await at(`/top?sel=${encodeURIComponent(name)}&f=${encodeURIComponent('^<script>')}&q=${encodeURIComponent('<img')}`);
      assert.equal((await page.locator('[data-selected]').textContent())?.trim(), name);
      assert.deepEqual(await made(), nothing);
    });
  });
});

test('a sampled profile says how sure it is, and greys what chance may have changed', { skip }, async () => {
  const dumps = [0, 2].map((n) => `jemalloc/shop-sampled.2000.${n}.m${n}.heap`);
  await exported(['bin/shop', ...dumps], async (url) => {
    await onFile(`${url}#/?base=0&dump=1`, false, async (page) => {
      assert.match((await page.locator('footer').textContent()) ?? '', /sampled every 4.00 KiB/);
      const noise = page.locator('.delta.noise');
      assert.ok((await noise.count()) > 0, 'small differences are grey');
      assert.match((await noise.first().textContent()) ?? '', /within sampling noise/);
      assert.match((await noise.first().getAttribute('title')) ?? '', /± .*, from .* sample/);
      // Columns of what grew and what shrank are sorted by.
      await page.goto('about:blank');
      await page.goto(`${url}#/top?base=0&dump=1&cols=name,grown,shrunk`);
      await idle(page);
      await page.locator('[data-sort="grown"]').click();
      await idle(page);
      assert.equal(param(page, 'order'), 'grown');
      assert.match((await rows(page)).at(0)?.join(' ') ?? '', /\+.*(KiB|MiB)/);
      await shot(page, 'top-sampled');
    });
  });
});

test('the HTML report of the page opens at the same view, with its source lines', { skip }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heapview-report-'));
  const server = await serve(['-http=localhost:0', 'bin/shop', ...[1, 2, 3].map((n) => `gperftools/shop.000${n}.heap`)], {
    PPROF_BINARY_PATH: 'bin',
  });
  try {
    const file = join(folder, 'view.html');
    /** @type {string[][]} */
    let shown = [];
    let name = '';
    await onPage(
      async (go) => {
        const page = await go('/top?f=shop&dump=2&base=0&order=-cum');
        shown = await rows(page);
        name = await nameInRow(page, 1);
        await page.locator('[name=download]').click();
        const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-action="HTML report"]').click()]);
        assert.equal(download.suggestedFilename(), 'shop-report.html');
        await download.saveAs(file);
      },
      { at: server.url },
    );
    await onFile(pathToFileURL(file).href, false, async (page) => {
      assert.deepEqual(await rows(page), shown);
      assert.deepEqual(
        ['f', 'dump', 'base', 'order'].map((key) => param(page, key)),
        ['shop', '2', '0', '-cum'],
      );
      // The lines that the server may read are in the file: of the standard library and packages, or of the repository.
      await page.locator('tr[data-row="1"]').click();
      await idle(page);
      assert.ok(name !== '');
      await shot(page, 'report-of-view');
    });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
});

test('export -with-sources: the Source view and snippets work without a server; -redact leaves the lines out', { skip }, async () => {
  const words = ['-with-sources', '-source_path=programs', 'bin/shop', 'gperftools/shop.0003.heap'];
  await exported(words, async (url) => {
    await onFile(url, false, async (page) => {
      await page.goto(`${url}#/top?f=shop::&order=-cum`);
      await idle(page);
      const functions = await page
        .locator('tr[data-row] .name-cell')
        .evaluateAll((all) => all.map((cell) => cell.getAttribute('title') ?? ''));
      const own = functions.findIndex((name) => name.startsWith('shop::'));
      assert.ok(own >= 0, functions.join('\n'));
      await page.locator(`tr[data-row="${own}"]`).click();
      await idle(page);
      const snippet = page.locator('.details .source-snippet, .details .snippet').first();
      await snippet.waitFor();
      await shot(page, 'report-snippet');
      await byKey(page, 'source');
      await page.goto(`${url}#/source?list=${encodeURIComponent(`^${(functions[own] ?? '').replace(/[^\w:]/g, '.')}$`)}`);
      await idle(page);
      await page.locator('.source').waitFor();
      assert.match((await page.locator('.source').textContent()) ?? '', /fn /);
      // The machine code of these functions is in the file, in both syntaxes.
      await page.keyboard.press('d');
      await idle(page);
      assert.equal(param(page, 'line_code'), 't');
      const code = page.locator('.source-panes.with-code');
      assert.match((await code.textContent()) ?? '', /%r[a-d]x|%rsp|%rdi/);
      await shot(page, 'report-source');
      await page.getByRole('radio', { name: 'Intel' }).check({ force: true });
      await idle(page);
      assert.match((await code.textContent()) ?? '', /\[r/);
      assert.equal(await page.locator('.problem').count(), 0);
    });
  });
  await exported(['-redact', ...words], async (url) => {
    await onFile(url, false, async (page) => {
      await page.goto(`${url}#/source?list=shop`);
      await idle(page);
      assert.match((await page.locator('.problem').textContent()) ?? '', /has no source lines/);
    });
  });
});

test('the headline of a report file is about the dumps that its link names', { skip, timeout: 120_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heapview-report-'));
  const server = await serve(['-http=localhost:0', ...SHOP], { PPROF_BINARY_PATH: 'bin' });
  const headline = async (/** @type {Page} */ page) => (await page.locator('.headline').textContent()) ?? '';
  try {
    const file = join(folder, 'first.html');
    let first = '';
    /** @type {Map<string, string>} */
    const expected = new Map();
    await onPage(
      async (go) => {
        for (const query of ['', 'dump=1&', 'dump=0&base=1&']) expected.set(query, await headline(await go(`/?${query}hide_kind=none`)));
        const page = await go('/?dump=0&hide_kind=none');
        first = await headline(page);
        await page.locator('[name=download]').click();
        const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-action="HTML report"]').click()]);
        await download.saveAs(file);
      },
      { at: server.url },
    );
    assert.match(first, /^[\d.]+ MiB in use: /);
    assert.equal(new Set([...expected.values(), first]).size, 4);
    await onFile(pathToFileURL(file).href, false, async (page) => {
      assert.equal(param(page, 'dump'), '0');
      assert.equal(await headline(page), first);
      for (const [query, text] of expected) {
        await page.goto('about:blank');
        await page.goto(`${pathToFileURL(file).href}#/?${query}hide_kind=none`);
        await idle(page);
        assert.equal(await headline(page), text, query);
      }
    });
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inFirefox, withoutFirefox } from './firefox.mjs';
import { exported, onFile } from './report-file.mjs';
import { byKey, idle, rows, serve, shot, violations, visible } from './page.mjs';
import { choose, given, onSite, program, served, stored, testdata } from './site.mjs';

/** @typedef {import('playwright-core').Page} Page */

const skip = program === '' ? 'HEAPVIEW_BIN names no program' : false;
/** Dumps with names: a server also finds libraries of this machine. */
const NAMED = [0, 1].map((n) => `pprof/depot.${n}.pb.gz`);
const DUMPS = [1, 2, 3].map((n) => `gperftools/shop.000${n}.heap`);
const VIEWS = ['flame', 'graph', 'top', 'tree', 'callers', 'sizes', 'types', 'timeline', 'summary'];

/** Waits for the Summary in place of the start page. @param {Page} page */
async function opened(page) {
  await page.locator('.tab.on').waitFor();
  await page.locator('.opening:not(.on)').waitFor({ state: 'attached' });
  await idle(page);
  assert.equal(await page.locator('.start').count(), 0);
}

/** Chooses files that cannot be opened; what the page says about them. @param {Page} page @param {Parameters<typeof choose>[1]} files */
async function refused(page, files) {
  await choose(page, files);
  await page
    .locator('.opening .failed')
    .nth(files.length - 1)
    .waitFor();
  const said = (await page.locator('.opening').textContent()) ?? '';
  await page.locator('.opening button', { hasText: 'Dismiss' }).click();
  return said;
}

/** What the command says about a file. @param {string[]} words @param {string} text standard input */
function command(words, text = '') {
  const env = { ...process.env, XDG_CACHE_HOME: '/dev/null', DEBUGINFOD_URLS: '', PPROF_BINARY_PATH: '/nowhere' };
  return spawnSync(program, words, { cwd: testdata, env, input: text, encoding: 'utf8' });
}

for (const dark of [false, true]) {
  const theme = dark ? 'dark' : 'light';
  test(`a site opens a dump and then its binary without network, in the ${theme} theme`, { skip, timeout: 240_000 }, async () => {
    await served(async ({ url, stop }) => {
      await onSite(
        url,
        async (page) => {
          await stored(page);
          await stop();
          await page.reload();
          await idle(page);
          assert.match((await page.locator('.start').textContent()) ?? '', /nothing is sent anywhere/);
          assert.deepEqual(await violations(page), []);
          await shot(page, `site-start-${theme}`);
          await choose(page, ['gperftools/shop.0003.heap']);
          await opened(page);
          await page.locator('.banner', { hasText: 'Function names are missing' }).waitFor();
          await shot(page, `site-nameless-${theme}`);
          await choose(page, ['bin/shop']);
          await page.locator('.summary', { hasText: 'shop::' }).first().waitFor();
          await idle(page);
          assert.equal(await page.locator('.banner', { hasText: 'Function names are missing' }).count(), 0);
          for (const view of VIEWS) {
            await page.locator(`.tab[data-view=${view}]`).click();
            await idle(page);
            assert.equal(
              await page.locator('.problem:not(:has-text("at least two dumps"))').count(),
              view === 'timeline' ? await page.locator('.problem').count() : 0,
              view,
            );
          }
          assert.deepEqual(await violations(page), []);
          await shot(page, `site-summary-${theme}`);
          // What is not in the browser is said, with what to run.
          await page.locator('.tab[data-view=source]').click();
          await idle(page);
          await page.locator('tr[data-row="0"] .name-cell').click();
          await idle(page);
          await page.locator('.problem', { hasText: 'heapview -http=: BINARY shop.0003.heap' }).waitFor();
          await shot(page, `site-source-${theme}`);
          await page.locator('[name=share]').click();
          assert.match((await page.locator('dialog.share input').first().inputValue()) ?? '', /^http:\/\/127.*\/tools\/heap\/#\/source/);
          assert.deepEqual(await violations(page), []);
          await shot(page, `site-share-${theme}`);
        },
        { dark },
      );
    });
  });

  test(`dumps that are dropped together are a series that grows, in the ${theme} theme`, { skip, timeout: 240_000 }, async () => {
    await served(async ({ url }) => {
      await onSite(
        url,
        async (page) => {
          await choose(page, ['bin/shop', ...[2, 0, 1].map((i) => DUMPS[i] ?? '')]);
          await opened(page);
          // The last one of the process is shown, whatever the order.
          await page.locator('.crumb', { hasText: 'shop.0003.heap' }).waitFor();
          await byKey(page, 'timeline');
          assert.ok((await page.locator('.timeline-svg').count()) > 0);
          assert.deepEqual(await violations(page), []);
          await shot(page, `site-timeline-${theme}`);
          await page.goto(`${url}#/top?dump=2&base=0`);
          await idle(page);
          assert.ok((await rows(page)).length > 0);
          assert.match(await visible(page), /in the baseline/);
          // One more, which the page then shows.
          await choose(page, ['jemalloc/shop-exact.1000.3.f.heap']);
          await page.locator('.crumb', { hasText: 'shop-exact.1000.3.f.heap' }).waitFor();
          await page.locator('.crumb', { hasText: '4 dumps' }).waitFor();
          await shot(page, `site-added-${theme}`);
        },
        { dark },
      );
    });
  });
}

/** Files of the download menu. @param {Page} page */
async function downloads(page) {
  /** @type {Record<string, { name: string, bytes: Buffer }>} */
  const all = {};
  for (const view of ['summary', 'flame', 'top', 'timeline']) {
    await page.locator(`.tab[data-view=${view}]`).click();
    await idle(page);
    for (const label of ['Profile', 'Collapsed stacks', 'CSV', 'JSON', 'Text', 'Markdown']) {
      await page.locator('[name=download]').click();
      const item = page.locator(`[data-action="${label}"]`);
      if ((await item.count()) === 0) {
        await page.keyboard.press('Escape');
        continue;
      }
      const [file] = await Promise.all([page.waitForEvent('download'), item.click()]);
      all[`${view} ${label}`] = { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
    }
  }
  return all;
}

test('downloads of a site have the names and the bytes of the server’s', { skip, timeout: 300_000 }, async () => {
  const server = await serve(
    ['-http=localhost:0', '-no_token', ...NAMED.map((path) => path.replace('pprof/', ''))],
    {},
    `${testdata}/pprof`,
  );
  try {
    /** @type {Awaited<ReturnType<typeof downloads>>} */
    let expected = {};
    const view = '#/?hide_kind=none';
    await onSite(`${server.url}/`, async (page) => {
      await page.locator('.symbols').waitFor({ state: 'detached' });
      await page.goto(`${server.url}/?hide_kind=none`);
      await idle(page);
      expected = await downloads(page);
    });
    assert.ok(Object.keys(expected).length > 12, Object.keys(expected).join());
    await served(async ({ url }) => {
      await onSite(url, async (page) => {
        await page.goto(url + view);
        await choose(page, NAMED);
        await opened(page);
        const found = await downloads(page);
        assert.deepEqual(Object.keys(found), Object.keys(expected));
        for (const [key, { name, bytes }] of Object.entries(expected)) {
          assert.equal(found[key]?.name, name, key);
          if (name.endsWith('.pb.gz')) {
            // What is in it; compressed bytes may differ.
            const [of, other] = [bytes, found[key]?.bytes ?? Buffer.alloc(0)].map((pb) => top(pb));
            assert.equal(other, of, key);
          } else assert.equal(String(found[key]?.bytes), String(bytes), key);
        }
      });
    });
  } finally {
    await server.stop();
  }
});

/** The report of a downloaded profile. @param {Buffer} bytes */
function top(bytes) {
  const { status, stdout, stderr } = spawnSync(program, ['-top', '-lines', '-nodecount=1000000', '-'], {
    input: bytes,
    encoding: 'utf8',
    env: { ...process.env, PPROF_BINARY_PATH: '/nowhere' },
  });
  assert.equal(status, 0, stderr);
  return stdout;
}

test('a report that a site makes opens from disk and answers like the site', { skip, timeout: 240_000 }, async () => {
  await served(async ({ url, folder, stop }) => {
    await onSite(url, async (page) => {
      await stored(page);
      await stop();
      await choose(page, ['bin/shop', ...DUMPS]);
      await opened(page);
      await page.goto(`${url}#/top?hide_kind=none&f=blank_page`);
      await idle(page);
      const expected = await rows(page);
      await page.locator('[name=download]').click();
      const [file] = await Promise.all([page.waitForEvent('download'), page.locator('[data-action="HTML report"]').click()]);
      assert.equal(file.suggestedFilename(), 'shop-report.html');
      const report = `${folder}/${file.suggestedFilename()}`;
      await file.saveAs(report);
      assert.match(command(['top', report]).stdout, /blank_page/);
      await onFile(pathToFileURL(report).href, false, async (other) => {
        assert.match(other.url(), /#\/top\?.*f=blank_page/);
        assert.deepEqual(await rows(other), expected);
        assert.match(await other.title(), /shop inuse_space/);
        await shot(other, 'site-report');
        await other.locator('.tab[data-view=graph]').click();
        await idle(other);
        assert.equal(await other.locator('.problem').count(), 0);
      });
    });
  });
});

test('a site opens report files', { skip, timeout: 240_000 }, async () => {
  await exported(['bin/shop', ...DUMPS], async (report) => {
    await served(async ({ url }) => {
      await onSite(url, async (page) => {
        const name = decodeURIComponent(new URL(report).pathname);
        await page.locator('input[type=file]').first().setInputFiles(name);
        await opened(page);
        await page.locator('.summary', { hasText: 'shop::' }).first().waitFor();
        await page.locator('.crumb', { hasText: '3 dumps' }).waitFor();
        // Another profile takes its place after a question.
        await page.locator('.brand').click();
        await choose(page, ['pprof/depot.1.pb.gz']);
        await page.getByRole('dialog').locator('[name=replace]').click();
        await page.locator('.crumb', { hasText: 'depot.1.pb.gz' }).waitFor();
        await idle(page);
        assert.equal(await page.locator('.crumb', { hasText: 'dumps' }).count(), 0);
      });
    });
  });
});

test('a site says what the command says about files that it cannot open, and stays usable', { skip, timeout: 240_000 }, async () => {
  const heap = await readFile(`${testdata}/gperftools/shop.0003.heap`);
  const gzip = await readFile(`${testdata}/pprof/depot.1.pb.gz`);
  const bad = {
    'notes.txt': Buffer.from('hello\n'),
    'trace.json': Buffer.from('{"traceEvents":[]}'),
    'empty.heap': Buffer.from(''),
    'cut.pb.gz': gzip.subarray(0, gzip.length / 2),
    'cut.heap': heap.subarray(0, 20),
    'report.html': Buffer.from(
      '<!doctype html><meta name="generator" content="heapview 0.1.0"><script type="application/gzip" id="data">!!',
    ),
  };
  await served(async ({ url, folder }) => {
    await onSite(url, async (page) => {
      for (const [name, bytes] of Object.entries(bad)) {
        await writeFile(`${folder}/${name}`, bytes);
        const { status, stderr } = command(['top', `${folder}/${name}`]);
        const said = await refused(page, [given(name, bytes)]);
        const reason = stderr.trim().split(`${name}: `)[1] ?? '';
        assert.ok(status !== 0 && reason.length > 10 && said.includes(reason), `${name}: ${said} / ${stderr}`);
      }
      // Together with a dump: that one opens.
      await choose(page, [given('notes.txt', 'hello\n'), 'gperftools/shop.0003.heap', given('broken', '\x7fELF\x02\x01\x01')]);
      await page.locator('.tab.on').waitFor();
      await page.locator('.opening .failed').nth(1).waitFor();
      assert.match((await page.locator('.opening').textContent()) ?? '', /Cannot read notes\.txt: .*broken/s);
      await shot(page, 'site-refused');
      await page.locator('.opening button', { hasText: 'Dismiss' }).click();
      const said = await refused(page, [given('notes.txt', 'hello\n')]);
      assert.match(said, /Cannot read notes\.txt/);
      await byKey(page, 'top');
      assert.ok((await rows(page)).length > 0);
      // A binary of another program.
      assert.match(await refused(page, ['bin/tides']), /does not match any binary in this profile/);
    });
  });
});

test('opening a large dump shows progress and can be cancelled', { skip, timeout: 240_000 }, async () => {
  const line = (/** @type {number} */ i) =>
    `     1:     ${4096 + i} [     1:     4096] @ 0x${(0x400000 + i * 16).toString(16)} 0x401000 0x402000 0x${(0x500000 + (i % 977) * 32).toString(16)}\n`;
  const lines = ['heap profile:      1:     4096 [     1:     4096] @ heapprofile\n'];
  for (let i = 0; i < 600_000; i++) lines.push(line(i));
  const large = given('large.heap', lines.join(''));
  await served(async ({ url }) => {
    await onSite(url, async (page) => {
      await choose(page, [large]);
      const cancel = page.locator('[name=cancel-opening]');
      await cancel.waitFor();
      await page.locator('.opening li', { hasText: 'large.heap' }).waitFor();
      await shot(page, 'site-opening');
      await cancel.click();
      await page.locator('.opening:not(.on)').waitFor({ state: 'attached' });
      await page.locator('.start').waitFor();
      await choose(page, ['gperftools/shop.0003.heap']);
      await opened(page);
      await choose(page, [large]);
      await cancel.click();
      await page.locator('.opening:not(.on)').waitFor({ state: 'attached' });
      await byKey(page, 'top');
      assert.ok((await rows(page)).length > 0);
      assert.equal(await page.locator('.crumb', { hasText: '2 dumps' }).count(), 0);
    });
  });
});

test('a later version of the site replaces the stored one; sites beside it keep theirs', { skip, timeout: 240_000 }, async () => {
  await served(async ({ url, folder }) => {
    await onSite(url, async (page) => {
      await stored(page);
      await page.evaluate(() => window.caches.open(`heapview ${window.location.origin}/other/ 1234`));
      const before = await page.evaluate(() => window.caches.keys());
      // As if heapview were newer: the same files in another folder.
      const [old = ''] = (await readdir(folder)).filter((name) => /^[0-9a-f]{16}$/.test(name));
      const next = 'fedcba9876543210';
      await rename(`${folder}/${old}`, `${folder}/${next}`);
      for (const name of ['index.html', 'service-worker.js']) {
        const text = await readFile(`${folder}/${name}`, 'utf8');
        await writeFile(`${folder}/${name}`, text.replaceAll(old, next));
      }
      await page.goto(url);
      await idle(page);
      assert.ok((await page.locator('script').getAttribute('src'))?.startsWith(next));
      // The old worker ends with the last page that it has.
      const other = await page.context().newPage();
      await page.close();
      await other.goto('about:blank');
      await other.waitForTimeout(1000);
      await other.goto(url);
      await idle(other);
      await other.waitForFunction(async (version) => (await window.caches.keys()).some((name) => name.endsWith(version)), next);
      await other.waitForFunction(async (version) => (await window.caches.keys()).every((name) => !name.endsWith(version)), old);
      assert.deepEqual(
        (await other.evaluate(() => window.caches.keys())).filter((name) => name.includes('/other/')),
        before.filter((name) => name.includes('/other/')),
      );
    });
  });
});

test('opened from disk, the page says that it needs a web server', { skip, timeout: 60_000 }, async () => {
  await served(async ({ folder }) => {
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--headless', '--no-sandbox'],
    });
    try {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(`${folder}/index.html`).href);
      await page.waitForFunction(() => getComputedStyle(document.querySelector('.site-loading p + p') ?? document.body).opacity === '1');
      assert.match((await page.locator('.site-loading').textContent()) ?? '', /need a web server.*python3 -m http\.server/s);
      await shot(page, 'site-from-disk');
    } finally {
      await browser.close();
    }
  });
});

test('a site opens a dump and its binary in Firefox, without network', { skip: skip || withoutFirefox, timeout: 240_000 }, async () => {
  await served(async ({ url, stop }) => {
    await inFirefox(async (page) => {
      await page.goto(url);
      await page.until('navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)');
      await stop();
      await page.reload();
      await page.until("document.querySelector('.start') !== null && document.body.dataset.idle === 'true'");
      await page.choose('input[type=file]', [`${testdata}/gperftools/shop.0003.heap`]);
      await page.until("document.querySelector('.banner')?.innerText.includes('Function names are missing')");
      await page.choose('input[type=file]', [`${testdata}/bin/shop`]);
      await page.until("document.querySelector('.summary')?.innerText.includes('shop::')");
      await page.evaluate("document.querySelector('.tab[data-view=flame]').click()");
      await page.until("document.querySelector('.flame-canvas') !== null && document.body.dataset.idle === 'true'");
      assert.equal(await page.evaluate("document.querySelectorAll('.problem').length"), 0);
      const shots = process.env['HEAPVIEW_SHOTS'] ?? '';
      if (shots !== '') await writeFile(`${shots}/site-firefox.png`, await page.screenshot());
    });
  });
});

test('a site is narrow on a phone and has no inline code', { skip, timeout: 120_000 }, async () => {
  await served(async ({ url, folder }) => {
    for (const dark of [false, true]) {
      await onSite(
        url,
        async (page) => {
          await shot(page, `site-start-390-${dark ? 'dark' : 'light'}`);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
          assert.deepEqual(await violations(page), []);
          await choose(page, [DUMPS[2] ?? '']);
          await opened(page);
          await shot(page, `site-summary-390-${dark ? 'dark' : 'light'}`);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
        },
        { dark, width: 390 },
      );
    }
    await rm(`${folder}/service-worker.js`);
    // Without it, and below the root of the server, the page works with network.
    await onSite(
      url,
      async (page) => {
        await choose(page, [DUMPS[2] ?? '']);
        await opened(page);
      },
      { mayFail: /404/ },
    );
  }, '');
});

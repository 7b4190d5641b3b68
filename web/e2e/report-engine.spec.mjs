import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exported, onFile, program, skip } from './report-file.mjs';
import { byKey, idle, onPage, rows, serve, shot } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const SHOP = ['bin/shop', ...[1, 2, 3].map((n) => `gperftools/shop.000${n}.heap`)];

/** Files in the download menu; pictures are drawn by the page, not asked for. */
const FILES = ['Profile', 'Collapsed stacks', 'CSV', 'JSON', 'Text', 'DOT', 'Markdown'];

/** Every file that the download menu of each view gives, by view and label. @param {Page} page @param {readonly string[]} views */
async function downloads(page, views) {
  /** @type {Map<string, { name: string, bytes: Buffer }>} */
  const all = new Map();
  for (const view of views) {
    await page.locator(`.tab[data-view=${view}]`).click();
    await idle(page);
    await page.locator('[name=download]').click();
    const labels = await page
      .locator('[role=menuitem]')
      .evaluateAll((items) => items.map((item) => item.getAttribute('data-action') ?? ''));
    await page.keyboard.press('Escape');
    for (const label of labels.filter((of) => FILES.includes(of) || (of === 'SVG' && view === 'flame'))) {
      await page.locator('[name=download]').click();
      const [file] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-action="${label}"]`).click()]);
      all.set(`${view} ${label}`, { name: file.suggestedFilename(), bytes: await readFile(await file.path()) });
    }
  }
  return all;
}

test('every download of a report file has the name and the bytes of the server’s', { skip, timeout: 300_000 }, async () => {
  const views = ['summary', 'flame', 'top', 'graph', 'tree', 'callers', 'sizes', 'types', 'timeline'];
  const server = await serve(['-http=localhost:0', ...SHOP], { PPROF_BINARY_PATH: 'bin' });
  try {
    /** @type {Awaited<ReturnType<typeof downloads>>} */
    let expected = new Map();
    await onPage(
      async (go) => {
        expected = await downloads(await go('/?hide_kind=none'), views);
      },
      { at: server.url },
    );
    assert.ok(expected.size > 25, [...expected.keys()].join());
    await exported(SHOP, async (url) => {
      await onFile(`${url}#/?hide_kind=none`, false, async (page) => {
        const found = await downloads(page, views);
        assert.deepEqual([...found.keys()], [...expected.keys()]);
        for (const [key, { name, bytes }] of expected) {
          const file = found.get(key);
          assert.equal(file?.name, name, key);
          // A report has only the code that stacks run through, so its profile may be smaller.
          if (name.endsWith('.pb.gz')) assert.deepEqual([...(file?.bytes.subarray(0, 2) ?? [])], [0x1f, 0x8b]);
          else assert.equal(String(file?.bytes), String(bytes), key);
        }
      });
    });
  } finally {
    await server.stop();
  }
});

for (const dark of [false, true]) {
  const theme = dark ? 'dark' : 'light';
  test(`a report file groups by labels and shows threads, in the ${theme} theme`, { skip, timeout: 120_000 }, async () => {
    await exported(['bin/shop', 'jemalloc/shop-sampled.2000.2.m2.heap'], async (url) => {
      await onFile(url, dark, async (page) => {
        const group = page.locator('.summary-more', { hasText: 'Group by thread' });
        await group.click();
        await idle(page);
        assert.match(page.url(), /tagroot=thread/);
        assert.equal(await page.locator('.problem').count(), 0);
        assert.ok((await page.locator('.flame-canvas').count()) > 0);
        await shot(page, `report-tagroot-${theme}`);
        await page.goto(`${url}#/top?tagleaf=thread`);
        await page.reload();
        await idle(page);
        assert.equal(await page.locator('.problem').count(), 0);
        assert.ok((await rows(page)).length > 0);
      });
    });
  });

  test(`a damaged report file says what the command says, in the ${theme} theme`, { skip, timeout: 120_000 }, async () => {
    await exported(['gperftools/shop.0003.heap'], async (url) => {
      const file = fileURLToPath(url);
      const whole = await readFile(file, 'latin1');
      const start = whole.indexOf('id="data">') + 'id="data">'.length;
      const end = whole.indexOf('<', start);
      /** @type {Record<string, string>} */
      const damaged = {
        'cut off': whole.slice(0, start + Math.floor((end - start) / 2)),
        'without data': `${whole.slice(0, start)}${whole.slice(end)}`,
        'other bytes': `${whole.slice(0, start + 40)}""""${whole.slice(start + 44)}`,
        'bytes changed': `${whole.slice(0, start + 400)}AAAAAAAA${whole.slice(start + 408)}`,
      };
      for (const [name, text] of Object.entries(damaged)) {
        await writeFile(file, text, 'latin1');
        const { status, stderr } = spawnSync(program, ['top', file], {
          encoding: 'utf8',
          env: { ...process.env, XDG_CACHE_HOME: '/dev/null' },
        });
        assert.notEqual(status, 0, name);
        await onFile(url, dark, async (page) => {
          const problem = (await page.locator('.problem').textContent()) ?? '';
          assert.match(problem, /This report cannot be opened/, name);
          assert.equal(await page.locator('.waiting, .lost.on').count(), 0, name);
          // Where in the file the error is depends on what is around the data.
          const sentence = (/** @type {string} */ said) => /: ([^:]+)$/.exec(said.split('\n')[0]?.trim() ?? '')?.[1]?.replace(/[.]$/, '');
          const expected = sentence(stderr) ?? '';
          assert.ok(expected.length > 10 && problem.includes(expected), `${name}: ${problem} / ${stderr}`);
          await shot(page, `report-damaged-${name.replace(' ', '-')}-${theme}`);
          // The page stays usable: other views say the same, help and theme work.
          await page.locator('.tab[data-view=top]').click();
          await idle(page);
          assert.match((await page.locator('.problem').textContent()) ?? '', /This report cannot be opened/, name);
          await page.keyboard.press('?');
          await page.getByRole('dialog', { name: 'Keys and gestures' }).waitFor();
          await page.keyboard.press('Escape');
        });
      }
    });
  });
}

test('search and views of a report file do not wait for questions that nobody needs any more', { skip, timeout: 120_000 }, async () => {
  await exported(SHOP, async (url) => {
    await onFile(url, false, async (page) => {
      await byKey(page, 'top');
      await page.keyboard.press('/');
      await page.keyboard.type('blank_page', { delay: 5 });
      for (const view of ['flame', 'graph', 'sizes', 'top']) await page.locator(`.tab[data-view=${view}]`).click();
      await idle(page);
      assert.match((await rows(page))[0]?.join(' ') ?? '', /blank_page/);
    });
  });
});

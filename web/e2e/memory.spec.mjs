import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { idle, onBothThemes, onPage, serve, shot, violations } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const testdata = process.env['HEAPVIEW_TESTDATA'] ?? '';

/** Runs a journey on a server for these files. @param {string[]} files @param {(url: string) => Promise<void>} journey */
async function withServer(files, journey) {
  const server = await serve(['-http=localhost:0', ...files]);
  try {
    await journey(server.url);
  } finally {
    await server.stop();
  }
}

/** Drops files of testdata on the page. @param {Page} page @param {readonly string[]} paths */
async function drop(page, paths) {
  const files = await Promise.all(
    paths.map(async (path) => ({ name: path.split('/').at(-1) ?? '', base64: (await readFile(`${testdata}/${path}`)).toString('base64') })),
  );
  const transfer = await page.evaluateHandle((given) => {
    const all = new window.DataTransfer();
    for (const { name, base64 } of given)
      all.items.add(new window.File([Uint8Array.from(window.atob(base64), (c) => c.charCodeAt(0))], name));
    return all;
  }, files);
  await page.dispatchEvent('.frame', 'dragover', { dataTransfer: transfer, clientX: 300, clientY: 300 });
  await page.locator('.drop-half.on').waitFor();
  await page.dispatchEvent('.frame', 'drop', { dataTransfer: transfer, clientX: 300, clientY: 300 });
}

test('memory: the waterfall ends at RSS, with negative bars, formulas and the series', async () => {
  await withServer(['rss/jemalloc/holes.*.heap'], async (url) => {
    await onBothThemes(
      async (go, width) => {
        const page = await go('/');
        const part = page.locator('.memory');
        assert.match((await part.locator('.memory-sentence').textContent()) ?? '', /This is fragmentation, not a leak\.$/);
        const rows = await part.locator('.memory-row summary').allTextContents();
        assert.ok(rows.length > 8, rows.join('\n'));
        assert.ok(rows.some((row) => /^Fragmentation\+.* MiB$/.test(row)));
        const never = part.locator('.memory-row', { hasText: 'Never touched' });
        assert.match((await never.locator('.memory-size').textContent()) ?? '', /^[-−]/);
        assert.equal(await never.locator('.memory-negative').count(), 1);
        // A click explains a bar: formula, file with its time, and what to do.
        const holes = part.locator('.memory-row', { hasText: 'Fragmentation' });
        assert.match((await holes.locator('summary').getAttribute('title')) ?? '', /active − allocated/);
        await holes.locator('summary').click();
        assert.match((await holes.textContent()) ?? '', /active − allocated.*holes\.0003\.stats\.json.*written .*narenas/s);
        assert.equal(await part.locator('.memory-column').count(), 3);
        // No bar is outside of its track.
        const outside = await part.locator('.memory-track').evaluateAll((tracks) =>
          tracks.filter((track) => {
            const bar = track.firstElementChild?.getBoundingClientRect();
            const room = track.getBoundingClientRect();
            return bar !== undefined && (bar.left < room.left - 1 || bar.right > room.right + 1);
          }),
        );
        assert.equal(outside.length, 0);
        assert.deepEqual(await violations(page), []);
        await part.scrollIntoViewIfNeeded();
        await shot(page, `memory-${width}`);
      },
      { at: url },
    );
  });
});

test('memory: files that are dropped beside a dump explain it; those of another process are named', async () => {
  await withServer(['gperftools/shop.0003.heap'], async (url) => {
    await onPage(
      async (go) => {
        const page = await go('/');
        assert.match((await page.locator('.memory-hint').textContent()) ?? '', /heapview capture PID -o DIR/);
        await drop(page, ['rss/tcmalloc/hoard.0001.smaps', 'rss/tcmalloc/hoard.0001.status', 'rss/tcmalloc/hoard.0001.stats.txt']);
        await page.locator('.memory-row', { hasText: 'Thread caches' }).waitFor();
        await idle(page);
        const warnings = (await page.locator('.memory-warning').allTextContents()).join('\n');
        assert.match(warnings, /hoard\.0001\.smaps belongs to the program barge, but the profile to /);
        await shot(page, 'memory-dropped');
      },
      { at: url },
    );
  });
});

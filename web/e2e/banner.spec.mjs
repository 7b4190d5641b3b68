import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { onPage, serve, shot } from './page.mjs';

const TESTDATA = process.env['HEAPVIEW_TESTDATA'] ?? '';

test('a program of another build is said above every view, until it is put away', async () => {
  const server = await serve(['-http=localhost:0', 'bin/shop-v0', 'gperftools/shop.0003.heap']);
  try {
    await onPage(
      async (go) => {
        const page = await go('/top');
        const banner = page.locator('.banner');
        await banner.waitFor();
        assert.match((await banner.textContent()) ?? '', /probably wrong in shop: .*another build.*What helps:/);
        await shot(page, 'banner');
        await banner.getByRole('button').click();
        assert.equal(await banner.count(), 0);
      },
      { at: server.url },
    );
  } finally {
    await server.stop();
  }
});

test('a dump that was cut off says so first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heapview-'));
  try {
    const whole = readFileSync(join(TESTDATA, 'gperftools/shop.0003.heap'));
    writeFileSync(join(folder, 'cut.heap'), whole.subarray(0, Math.floor(whole.length * 0.4)));
    const server = await serve(['-http=localhost:0', 'bin/shop', join(folder, 'cut.heap')]);
    try {
      await onPage(
        async (go) => {
          const page = await go('/');
          await page.locator('.banner').first().waitFor();
          const banners = await page.locator('.banner').allTextContents();
          assert.equal(banners.length, 1, banners.join('\n'));
          assert.match(banners[0] ?? '', /^This profile is incomplete: .*truncated.*Totals are too low by what is missing/);
        },
        { at: server.url },
      );
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('functions of two builds are matched, and the page says how many', async () => {
  const args = ['-diff', 'bin/shop', 'gperftools/shop.0003.heap', 'bin/shop-v0', 'gperftools/shop-v0.0003.heap'];
  const server = await serve(['-http=localhost:0', ...args]);
  try {
    await onPage(
      async (go) => {
        const page = await go('/top?diff_base=1');
        const banner = page.locator('.banner[data-kind=note]');
        await banner.waitFor();
        assert.match((await banner.textContent()) ?? '', /^Matched builds: \d+ of \d+ functions of shop.*by normal form/);
        await shot(page, 'builds');
        await banner.getByRole('button').click();
        assert.equal(await banner.count(), 0);
      },
      // The address that is printed has the base in it.
      { at: new URL(server.url).origin },
    );
  } finally {
    await server.stop();
  }
});

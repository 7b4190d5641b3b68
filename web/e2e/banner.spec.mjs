import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idle, onPage, serve, shot, violations } from './page.mjs';

test('a program of another build is said above every view, until it is put away', async () => {
  const server = await serve(['-http=localhost:0', 'bin/shop-v0', 'gperftools/shop.0003.heap']);
  try {
    await onPage(
      async (go) => {
        const page = await go('/top');
        const banner = page.locator('.banner');
        await banner.waitFor();
        assert.match(
          (await banner.textContent()) ?? '',
          /Names in shop may be wrong: .*another build.*Open the binary that produced this profile/,
        );
        await shot(page, 'banner');
        assert.deepEqual(await violations(page), []);
        // It does what it advises: the binary is chosen right there, and the banner goes with its cause.
        assert.equal(
          await banner.getByRole('button', { name: 'Copy command' }).getAttribute('title'),
          'heapview -http=: BINARY gperftools/shop.0003.heap',
        );
        await banner.getByRole('button', { name: /^Dismiss/ }).click();
        assert.equal(await banner.count(), 0);
      },
      { at: server.url },
    );
  } finally {
    await server.stop();
  }
});

test('a profile that does not name its program asks for the binary, and takes it', async () => {
  const server = await serve(['-http=localhost:0', 'jemalloc/shop-exact.1000.3.f.heap'], { PPROF_BINARY_PATH: '/nonexistent' });
  try {
    for (const [width, dark] of /** @type {const} */ ([
      [1440, false],
      [390, true],
    ])) {
      await onPage(
        async (go) => {
          const page = await go('/');
          const banner = page.locator('.banner');
          await banner.waitFor();
          assert.match((await banner.textContent()) ?? '', /(does not name its program|names are missing).*Open/);
          assert.ok(await banner.getByRole('button', { name: 'Open binary…' }).isVisible());
          assert.deepEqual(await violations(page), []);
          const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
          assert.equal(isWide, false);
          await shot(page, `banner-names-${width}`);
        },
        { at: server.url, width, dark },
      );
    }
    await onPage(
      async (go) => {
        const page = await go('/');
        await page.locator('.banner input[type="file"]').setInputFiles(join(process.env['HEAPVIEW_TESTDATA'] ?? '', 'bin/shop'));
        await page.waitForFunction(() => document.querySelector('.banner') === null, undefined, { timeout: 30_000 });
        await idle(page);
        assert.match((await page.locator('.summary').textContent()) ?? '', /shop::/);
      },
      { at: server.url },
    );
  } finally {
    await server.stop();
  }
});

test('a truncated profile is said to be incomplete, above every view', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heapview-banner-'));
  const file = join(folder, 'cut.0003.heap');
  const whole = await readFile(join(process.env['HEAPVIEW_TESTDATA'] ?? '', 'gperftools/shop.0003.heap'));
  await writeFile(file, whole.subarray(0, 20_000));
  const server = await serve(['-http=localhost:0', 'bin/shop', file]);
  try {
    await onPage(
      async (go) => {
        const page = await go('/top');
        const banner = page.getByRole('region', { name: 'Incomplete profile' });
        // Missing names have the same cause, and no banner of their own.
        assert.equal(await page.locator('.banner').count(), 1);
        assert.match((await banner.textContent()) ?? '', /Incomplete profile:.*truncated.*Totals are too low; take the dump again/);
        assert.ok(await banner.getByRole('button', { name: 'Open another dump…' }).isVisible());
        await shot(page, 'banner-incomplete');
        await banner.getByRole('button', { name: /^Dismiss/ }).click();
        assert.equal(await banner.count(), 0);
      },
      { at: server.url },
    );
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
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
        assert.match((await banner.textContent()) ?? '', /^Functions in both builds: \d+ of \d+ in shop.*spelled differently/);
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

import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { byKey, idle, onPage, param, rows, serve, shot } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const CHART = '.timeline-chart';
const DUMPS = [1, 2, 3].map((n) => `gperftools/shop.000${n}.heap`);

/** Where a dump stands, when all stand equally far apart. @param {Page} page @param {number} place @param {number} n */
async function pointOf(page, place, n = 3) {
  const box = await page.locator(CHART).boundingBox();
  assert.ok(box !== null);
  return { x: box.x + 72 + ((box.width - 86) * place) / (n - 1), y: box.y + box.height * 0.8 };
}

/** The pair that the chart shows: places of the shown dump and the base. @param {Page} page */
async function marks(page) {
  const at = async (/** @type {string} */ kind) => {
    const mark = page.locator(`.timeline-mark.${kind}`);
    return (await mark.count()) === 0 ? null : mark.getAttribute('data-at');
  };
  return [await at('shown'), await at('base')];
}

/** @param {Page} page @param {number} from @param {number} to */
async function drag(page, from, to) {
  const [a, b] = [await pointOf(page, from), await pointOf(page, to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, b.y, { steps: 3 });
  await page.mouse.move(b.x, b.y, { steps: 3 });
  await page.locator('.timeline-range.drawing').waitFor();
  // The line below the chart says what it would compare; no tooltip covers the range.
  assert.match((await page.locator('[data-range]').textContent()) ?? '', /^Release to compare dump \d of \d with .*[+−±]/);
  assert.equal(await page.locator('.tooltip').count(), 0);
  await page.mouse.up();
  await idle(page);
}

test('all dumps are drawn, and the pointer says what one holds', async () => {
  await onPage(async (go) => {
    const page = await go('/timeline?axis=dumps');
    assert.equal(await page.locator('.tab.on').textContent(), 'Timeline');
    assert.ok((await page.locator('.timeline-area').count()) >= 4);
    assert.equal(await page.locator('[data-dumps] tbody tr').count(), 3);
    assert.ok((await rows(page)).length >= 4);
    const { x, y } = await pointOf(page, 1);
    await page.mouse.move(x, y);
    const tip = page.locator('.tooltip');
    assert.match((await tip.textContent()) ?? '', /shop\.0002\.heap.*dump 2 of 3.*Total[\d.]+ MiB/s);
    // Bands add up to the total.
    const total = (await page.locator('[data-dumps] tbody tr').nth(1).locator('td').nth(1).textContent()) ?? '';
    assert.ok(((await tip.textContent()) ?? '').includes(total), total);
    await shot(page, 'timeline');
    await page.mouse.move(x, 5);
    assert.equal(await tip.count(), 0);
  });
});

test('a click shows a dump in every view, and back takes it away', async () => {
  await onPage(async (go) => {
    const page = await go('/timeline?axis=dumps');
    const { x, y } = await pointOf(page, 0);
    await page.mouse.click(x + 6, y);
    await idle(page);
    assert.deepEqual([param(page, 'dump'), param(page, 'base')], ['0', null]);
    assert.deepEqual(await marks(page), ['0', null]);
    assert.match((await page.locator('[data-marks]').textContent()) ?? '', /^Dump 1 of 3 · .*MiB$/);
    await page.mouse.move(x, 5);
    await byKey(page, 'top');
    assert.match((await page.locator('.header').textContent()) ?? '', /shop\.0001\.heap/);
    await page.goBack();
    await page.goBack();
    await idle(page);
    assert.equal(param(page, 'dump'), null);
  });
});

test('a drag compares two dumps in every view', async () => {
  await onPage(async (go) => {
    const page = await go('/timeline?axis=dumps');
    // From right to left: the earlier one is the base all the same.
    await drag(page, 2, 0);
    assert.deepEqual([param(page, 'dump'), param(page, 'base')], ['2', '0']);
    assert.deepEqual(await marks(page), ['2', '0']);
    assert.match((await page.locator('[data-marks]').textContent()) ?? '', /^Dump 3 of 3 compared with (dump )?1.*\+[\d.]+ MiB/);
    assert.ok((await page.locator('th', { hasText: 'Change' }).count()) === 1);
    await shot(page, 'timeline-compared');
    await byKey(page, 'flame');
    assert.match((await page.locator('.footer').textContent()) ?? '', /in the baseline/);
    await byKey(page, 'top');
    assert.match((await rows(page))[0]?.join(' ') ?? '', /[+−][\d.]+ [KM]iB/);
    await byKey(page, 'timeline');
    await page.locator('[name="stop-comparing"]').click();
    await idle(page);
    assert.deepEqual([param(page, 'dump'), param(page, 'base')], ['2', null]);
    await page.goBack();
    await idle(page);
    assert.deepEqual(await marks(page), ['2', '0']);
    await page.reload();
    await idle(page);
    assert.deepEqual(await marks(page), ['2', '0']);
  });
});

test('all of it by keys', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    await byKey(page, 'timeline');
    // The chart has the keys as soon as the view is there.
    assert.equal(await page.locator(CHART).evaluate((chart) => chart === document.activeElement), true);
    await page.keyboard.press('Home');
    assert.match((await page.locator('.tooltip').textContent()) ?? '', /dump 1 of 3/);
    await page.keyboard.press('ArrowRight');
    assert.match((await page.locator(CHART).getAttribute('aria-valuetext')) ?? '', /^dump 2 of 3/);
    await page.keyboard.press('Enter');
    await idle(page);
    assert.equal(param(page, 'dump'), '1');
    assert.match((await page.locator(CHART).getAttribute('aria-valuetext')) ?? '', /, current$/);
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await page.locator('.timeline-range.drawing').waitFor();
    await page.keyboard.press('Enter');
    await idle(page);
    assert.deepEqual([param(page, 'dump'), param(page, 'base')], ['2', '0']);
    await page.keyboard.press('Escape');
    await idle(page);
    assert.deepEqual([param(page, 'dump'), param(page, 'base')], ['2', null]);
    // The table below.
    await page.locator('.timeline-table .table-scroll').focus();
    await page.keyboard.press('ArrowDown');
    await idle(page);
    const name = param(page, 'sel') ?? '';
    assert.notEqual(name, '');
    await page.keyboard.press('o');
    await idle(page);
    assert.equal(param(page, 'blame'), `^${name.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')}$`);
    assert.equal((await rows(page)).length, 1);
    await page.goBack();
    await idle(page);
    await page.locator('.timeline-table .table-scroll').focus();
    await page.keyboard.press('Enter');
    await idle(page);
    assert.match(page.url(), /\/flamegraph\?/);
    assert.deepEqual([param(page, 'sel'), param(page, 'dump')], [name, '2']);
    assert.notEqual(param(page, 'blame'), null);
  });
});

test('what grows is sorted by any column, and told by package', async () => {
  await onPage(async (go) => {
    const page = await go('/timeline');
    const ranked = await rows(page);
    await page.locator('th button', { hasText: 'Name' }).click();
    await idle(page);
    assert.equal(param(page, 'rank'), 'name');
    const names = await page
      .locator('.timeline-table .name-cell')
      .evaluateAll((all) => all.map((cell) => cell.getAttribute('title') ?? ''));
    assert.deepEqual(names, [...names].sort());
    await page.locator('th button', { hasText: '#' }).click();
    await idle(page);
    assert.deepEqual([param(page, 'rank'), await rows(page)], [null, ranked]);
    await page.locator('select[name="by"]').selectOption('packages');
    await idle(page);
    assert.equal(param(page, 'by'), 'packages');
    assert.match((await page.locator('.timeline-table tr[data-row="0"]').textContent()) ?? '', /shop/);
    // Totals are the same, whatever they are told by.
    await page.locator('.timeline-table [aria-label^="Only shop"]').first().click();
    await idle(page);
    assert.equal(param(page, 'package'), '^shop$');
  });
});

test('a limit says when memory runs out, and what is none is said in place', async () => {
  await onPage(async (go) => {
    const page = await go('/timeline');
    const input = page.locator('input[name="limit"]');
    await input.fill('a lot');
    await input.press('Enter');
    assert.match((await page.locator('.timeline-ask').textContent()) ?? '', /for example 8 GiB/);
    assert.equal(param(page, 'limit'), null);
    await input.fill('1MiB');
    await input.press('Enter');
    await idle(page);
    assert.equal(param(page, 'limit'), '1MiB');
    assert.match((await page.locator('[data-until]').textContent()) ?? '', /1\.00 MiB is already exceeded/);
    await input.fill('1TiB');
    await input.press('Enter');
    await idle(page);
    assert.match((await page.locator('[data-until]').textContent()) ?? '', /1\.00 TiB|1,024\.0 GiB/);
  });
});

test('a search and a selection stand out, in the chart as in the table', async () => {
  await onPage(async (go) => {
    const page = await go('/timeline');
    await page.locator('.timeline-table tr[data-row="1"]').click();
    await idle(page);
    const n = await page.locator('.timeline-area').count();
    assert.equal(await page.locator('.timeline-area:not(.dim)').count(), 1);
    await page.keyboard.press('Escape');
    await idle(page);
    assert.equal(await page.locator('.timeline-area:not(.dim)').count(), n);
    await page.keyboard.press('/');
    await page.keyboard.type('blank_page');
    await idle(page);
    assert.ok((await page.locator('.timeline-area.dim').count()) > 0);
    assert.ok((await page.locator('.timeline-table tr.hit').count()) > 0);
  });
});

test('the summary of a series leads to what grows', async () => {
  await onPage(async (go) => {
    const page = await go('/');
    const strip = page.locator('[aria-labelledby="what-grows"]');
    assert.match((await strip.textContent()) ?? '', /What grows.*3 dumps/s);
    await shot(page, 'summary-growth');
    await strip.locator('.growing-picture').click();
    await idle(page);
    assert.equal(await page.locator('.tab.on').textContent(), 'Timeline');
  });
});

test('one dump has no timeline, and the page says how to give more', async () => {
  const server = await serve(['-http=localhost:0', 'bin/shop', DUMPS[2] ?? '']);
  try {
    await onPage(
      async (go) => {
        const page = await go('/timeline');
        assert.match((await page.locator('.problem').textContent()) ?? '', /needs several dumps.*heapview -http=: shop dumps\//s);
        await byKey(page, 'summary');
        assert.equal(await page.locator('[aria-labelledby="what-grows"]').count(), 0);
      },
      { at: new URL('/', server.url).origin },
    );
  } finally {
    await server.stop();
  }
});

test('a dump that joins the series is drawn, and shown unless another one was chosen', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heapview-timeline-'));
  // Growing ones: a drop at the end is a dump at exit, which is set apart.
  const joins = (/** @type {number} */ n) =>
    copyFile(join(process.env['HEAPVIEW_TESTDATA'] ?? '', DUMPS[Math.min(n, 2)] ?? ''), join(folder, `shop.000${n + 1}.heap`));
  await joins(0);
  await joins(1);
  const server = await serve(['-http=localhost:0', '-watch', '-every=200ms', folder, 'bin/shop']);
  try {
    await onPage(
      async (go) => {
        const page = await go('/timeline?axis=dumps');
        const arrived = (/** @type {number} */ n) =>
          page.waitForFunction((all) => document.querySelectorAll('[data-dumps] tbody tr').length === all, n, { timeout: 20_000 });
        assert.deepEqual(await marks(page), ['1', null]);
        const names = () => page.locator('[data-dumps] thead th').allTextContents();
        const before = await names();
        await joins(2);
        await arrived(3);
        await idle(page);
        assert.deepEqual(await marks(page), ['2', null]);
        // Bands keep their places.
        const after = await names();
        assert.deepEqual(
          after.filter((name) => before.includes(name)),
          before.filter((name) => after.includes(name)),
        );
        const { x, y } = await pointOf(page, 0);
        await page.mouse.click(x + 6, y);
        await idle(page);
        await joins(3);
        await arrived(4);
        await idle(page);
        assert.deepEqual([await marks(page), param(page, 'dump')], [['0', null], '0']);
        await page.locator('[name="newest"]').click();
        await idle(page);
        assert.deepEqual(await marks(page), ['3', null]);
      },
      { at: new URL('/', server.url).origin },
    );
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
});

test('dark, narrow, wide and on a phone', async () => {
  for (const width of [390, 1100, 1440]) {
    await onPage(
      async (go) => {
        const page = await go('/timeline?dump=2&base=0');
        await shot(page, `timeline-dark-${width}`);
        const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
        assert.equal(isWide, false, String(width));
      },
      { width, dark: true },
    );
  }
});

test('a limit is drawn with its name and forecast, also far above the chart, and moves nothing', async () => {
  for (const width of [1440, 1024, 390]) {
    await onPage(
      async (go) => {
        const page = await go('/timeline');
        const top = async () => (await page.locator(CHART).boundingBox())?.y ?? 0;
        const before = await top();
        const input = page.locator('input[name="limit"]');
        for (const [limit, above, reaches] of /** @type {const} */ ([
          ['14MiB', false, 'reaches'],
          ['1TiB', true, 'goes on'],
        ])) {
          await input.fill(limit);
          await input.press('Enter');
          await idle(page);
          assert.equal(await page.locator('.timeline-limit').count(), 1);
          const name = (await page.locator('.timeline-limit-name').textContent()) ?? '';
          assert.match(name, above ? /^↑ limit .*iB$/ : /^limit 14\.0 MiB$/);
          assert.equal(await page.locator('[data-forecast]').getAttribute('data-forecast'), reaches);
          // The name is clear of the marks.
          const box = await page.locator('.timeline-limit-name').boundingBox();
          for (const mark of await page.locator('.timeline-mark text').all()) {
            const other = await mark.boundingBox();
            assert.ok(
              box !== null &&
                other !== null &&
                (box.x > other.x + other.width || other.x > box.x + box.width || box.y > other.y + other.height),
              JSON.stringify([width, limit, box, other]),
            );
          }
          if (width > 600) assert.equal(await top(), before, 'the chart stays where it is');
          await shot(page, `timeline-limit-${limit}-${width}`);
        }
      },
      { width },
    );
  }
});

test('the tooltip covers neither the table below nor what is under the pointer', async () => {
  await onPage(
    async (go) => {
      const page = await go('/timeline?axis=dumps');
      const chart = await page.locator(CHART).boundingBox();
      assert.ok(chart !== null);
      for (const place of [0, 1, 2]) {
        const { x, y } = await pointOf(page, place);
        await page.mouse.move(x, y);
        const tip = await page.locator('.tooltip').boundingBox();
        assert.ok(tip !== null && tip.y + tip.height <= chart.y + chart.height, JSON.stringify(tip));
        assert.ok(tip.x > x || tip.x + tip.width < x);
      }
    },
    { width: 1024 },
  );
});

test('without times, dumps are as far apart as their numbers', async () => {
  const names = [1, 10, 20].map((n) => `gperftools/tides.${String(n).padStart(4, '0')}.heap`);
  const server = await serve(['-http=localhost:0', 'bin/tides', ...names]);
  try {
    await onPage(
      async (go) => {
        const page = await go('/timeline?axis=dumps');
        const ticks = await page
          .locator('.timeline-svg .size-tick')
          .evaluateAll((all) =>
            all.flatMap((t) => (t.getAttribute('text-anchor') === 'middle' || Number(t.textContent) > 0 ? [t.textContent] : [])),
          );
        assert.deepEqual(
          ticks.filter((t) => /^\d+$/.test(t ?? '')),
          ['1', '10', '20'],
        );
      },
      { at: new URL('/', server.url).origin },
    );
  } finally {
    await server.stop();
  }
});

test('names of marks that are near each other do not overlap', async () => {
  const tides = Array.from({ length: 24 }, (_, i) => `gperftools/tides.${String(i + 1).padStart(4, '0')}.heap`);
  const server = await serve(['-http=localhost:0', 'bin/tides', ...tides], { PPROF_BINARY_PATH: 'bin' });
  try {
    await onPage(
      async (go) => {
        for (const query of ['?dump=2&base=0', '?dump=0&base=2', '?dump=23&base=22', '?dump=11&base=10']) {
          const page = await go(`/timeline${query}`);
          const [one, other] = await page
            .locator('.timeline-mark text')
            .evaluateAll((all) => all.map((text) => text.getBoundingClientRect().toJSON()));
          assert.ok(one !== undefined && other !== undefined);
          const apart = [one.right <= other.left, other.right <= one.left, one.bottom <= other.top + 2, other.bottom <= one.top + 2];
          assert.ok(apart.includes(true), `${query} ${JSON.stringify([one, other])}`);
        }
      },
      { width: 390, at: server.url },
    );
  } finally {
    await server.stop();
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onBothThemes, onPage, param, serve, shot, violations } from './page.mjs';

/** The two tables, each in its own part. */
const WHO = '[aria-labelledby="who-holds"]';
const WHOSE = '[aria-labelledby="by-package"]';

test('opens with who holds the memory, and adds up', async () => {
  await onPage(async (go) => {
    const page = await go('/');
    assert.equal(await page.locator('.tab.on').textContent(), 'Summary');
    assert.equal(await page.locator('button.card').count(), 4);
    assert.equal(await page.locator(`${WHO} tbody tr[data-row]`).count(), 10);
    assert.match((await page.locator(`${WHO} tbody tr[data-row]`).first().textContent()) ?? '', /blank_page.*MiB/s);
    // Every package has its place in the bar, and the bar is full.
    const widths = await page.locator('.stack-bar i').evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
    const whole = await page.locator('.stack-bar').evaluate((bar) => bar.getBoundingClientRect().width);
    assert.ok(Math.abs(widths.reduce((sum, width) => sum + width, 0) - whole) < 4 + widths.length);
    assert.match((await page.locator(`${WHOSE} tbody`).textContent()) ?? '', /shop.*your code/s);
    await shot(page, 'summary-light');
  });
});

test('begins with the answer in one sentence', async () => {
  await onBothThemes(async (go, width) => {
    const page = await go('/');
    const headline = page.locator('.headline');
    assert.match(
      (await headline.textContent()) ?? '',
      /^11\.5 MiB in use: 54% held by shop::audit::blank_page(?: \(mostly .+\))?, 8\d% by the top 3; it grew by .+ over 3 dumps\.$/,
    );
    await go('/?dump=2&base=0');
    assert.match((await headline.textContent()) ?? '', /^\+.+ in use since the baseline \(.+\): shop::.+ grew most, by [\d.]+ MiB/);
    await go('/?f=no_such_function');
    assert.match((await headline.textContent()) ?? '', /^No samples match the filters\./);
    await shot(page, `summary-headline-${width}`);
    assert.deepEqual(await violations(page), []);
  });
});

test('threads have a card: one click filters, another groups', async () => {
  const server = await serve(['-http=localhost:0', '-no_token', 'bin/shop', 'jemalloc/shop-sampled.2000.2.m2.heap'], {
    PPROF_BINARY_PATH: 'bin',
  });
  try {
    await onBothThemes(
      async (go, width) => {
        const page = await go('/');
        const card = page.locator('[aria-labelledby="by-thread"]');
        assert.ok((await card.locator('tbody tr[data-row]').count()) > 0);
        assert.doesNotMatch((await card.locator('tbody').textContent()) ?? '', /\b0 B/);
        assert.equal(await page.locator('[name=labels]').textContent(), 'Threads');
        await shot(page, `summary-threads-${width}`);
        assert.deepEqual(await violations(page), []);
        await card.locator('tbody tr[data-row="0"]').click();
        await idle(page);
        assert.match(param(page, 'tf') ?? '', /^thread=\^/);
        await go('/');
        await card.getByText('Group by thread').click();
        await idle(page);
        assert.equal(param(page, 'tagroot'), 'thread');
        assert.match((await page.locator('.chips').textContent()) ?? '', /^Grouped bythread$/);
        await page.locator('[name=labels]').click();
        await idle(page);
        assert.equal(await page.locator('.labels-key h2').first().textContent(), 'thread');
      },
      { at: server.url },
    );
  } finally {
    await server.stop();
  }
});

test('a function has one colour on the Summary of a series, and its growth has headings', async () => {
  await onBothThemes(async (go) => {
    const page = await go('/');
    /** Function → colour. @param {string} rows @param {string} name */
    const colours = async (rows, name) =>
      new Map(
        await page.locator(rows).evaluateAll(
          (all, named) =>
            all.map((row) => {
              const swatch = row.querySelector('.swatch');
              return [row.querySelector(named)?.textContent ?? '', swatch === null ? '' : getComputedStyle(swatch).backgroundColor];
            }),
          name,
        ),
      );
    const growing = await colours('a.growing-row', '.fn-name');
    const holders = await colours(`${WHO} tbody tr[data-row]`, '.fn-name');
    const both = [...growing.keys()].filter((name) => holders.has(name));
    assert.ok(both.length >= 3, both.join());
    assert.ok(new Set(growing.values()).size === growing.size, 'bands can be told apart');
    for (const name of both) assert.equal(holders.get(name), growing.get(name), name);
    assert.match((await page.locator('.growing-head').textContent()) ?? '', /Function.*Now.*Growth.*Of growth/);
    // A headline of one line leaves no gap.
    const [headline, cards] = await Promise.all(['.headline', '.cards'].map((part) => page.locator(part).boundingBox()));
    assert.ok(headline !== null && cards !== null);
    assert.ok(page.viewportSize()?.width !== 1440 || (headline?.height ?? 0) < 30, JSON.stringify(headline));
  });
});

test('a card shows its value type everywhere', async () => {
  await onPage(async (go) => {
    const page = await go('/');
    await page.locator('button.card', { hasText: 'Total allocated (objects)' }).click();
    await idle(page);
    assert.equal(param(page, 'si'), 'alloc_objects');
    assert.equal(
      await page
        .locator('button.card[aria-pressed="true"]')
        .textContent()
        .then((text) => /Total allocated \(objects\)/.test(text ?? '')),
      true,
    );
    await page.goBack();
    await idle(page);
    assert.equal(param(page, 'si'), null);
  });
});

test('by keyboard from the list to callers, the flame graph, and a package', async () => {
  await onPage(async (go) => {
    const page = await go('/');
    await page.locator(`${WHO} .table-scroll`).focus();
    await page.keyboard.press('ArrowDown');
    await idle(page);
    const name = ((await page.locator(`${WHO} tr[data-row="0"] .name-cell`).getAttribute('title')) ?? '').split('\n', 1)[0];
    assert.equal(param(page, 'sel'), name);
    assert.match((await page.locator('.details').textContent()) ?? '', /shop · your code/);
    await page.keyboard.press('f');
    await idle(page);
    assert.match(page.url(), /\/flamegraph\?/);
    assert.equal(param(page, 'sel'), name);
    await page.goBack();
    await idle(page);
    await page.locator(`${WHO} .table-scroll`).focus();
    await page.keyboard.press('Enter');
    await idle(page);
    assert.match(page.url(), /\/callers\?/);
    await page.goBack();
    await idle(page);
    await page.locator(`${WHOSE} .table-scroll`).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await idle(page);
    assert.equal(param(page, 'package'), '^shop$');
  });
});

test('with a base it tells what grew and what shrank', async () => {
  await onPage(async (go) => {
    const page = await go('/?dump=2&base=0');
    assert.match((await page.locator('.cards').textContent()) ?? '', /Growing\d+ of \d+/);
    assert.match((await page.locator(`${WHO} tbody tr[data-row]`).first().textContent()) ?? '', /[+−][\d.]+ [KM]?i?B/);
    await shot(page, 'summary-base');
  });
});

test('says why there is nothing, and the way out', async () => {
  await onPage(async (go) => {
    const page = await go('/?f=no_such_function');
    assert.match((await page.locator('.summary-nothing').textContent()) ?? '', /No stack passes/);
    await page.locator('.summary-nothing button').click();
    await idle(page);
    assert.equal(param(page, 'f'), null);
    await page.locator(`${WHO} tbody tr[data-row]`).first().waitFor();
  });
});

test('dark, narrow and wide', async () => {
  for (const width of [1100, 1440, 1920]) {
    await onPage(
      async (go) => {
        const page = await go('/?dump=2&base=0');
        await shot(page, `summary-dark-${width}`);
        const isWide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
        assert.equal(isWide, false);
      },
      { width, dark: true },
    );
  }
});

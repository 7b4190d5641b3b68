/** A recording by heaptrack: its course, a moment, what changed between two, and a difference of two recordings. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { byKey, idle, onBothThemes, onPage, param, serve, shot, violations } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const CHART = '.timeline-chart';

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
  server = await serve(['-http=localhost:0', 'heaptrack/ferry.zst']);
});

after(async () => {
  await server.stop();
});

/** Moments as the chart has them: time and whether it is the peak. @param {Page} page */
async function moments(page) {
  const cells = await page
    .locator('[data-dumps] tbody tr')
    .evaluateAll((all) => all.map((row) => row.querySelector('td')?.textContent ?? ''));
  return cells.map((text) => ({ text, at: Number.parseFloat(text), isPeak: text.endsWith('(peak)') }));
}

/** Where a moment is in the window. @param {Page} page @param {number} place */
async function pointOf(page, place) {
  const all = await moments(page);
  const [last, wanted] = [all.at(-1), all[place]];
  const box = await page.locator(CHART).boundingBox();
  assert.ok(box !== null && last !== undefined && wanted !== undefined);
  // A recording begins at 0.
  const x = box.x + 72 + ((box.width - 86) * wanted.at) / last.at;
  return { x, y: box.y + box.height * 0.6 };
}

/** The text of a part of the page. @param {Page} page @param {string} selector */
async function text(page, selector) {
  return (await page.locator(selector).first().textContent()) ?? '';
}

test('the first view is the peak, and says when that was and how it was recorded', async () => {
  await onBothThemes(
    async (go, width) => {
      const page = await go('/');
      assert.match(await text(page, '.headline'), /^[\d.]+ MiB in use at the peak, \d+ ms of \d+ ms: 91% held by swell\.$/);
      assert.match(await text(page, '.card[aria-pressed="true"]'), /^Peak \(bytes\)3\.14 MiBafter \d+ ms$/);
      const facts = await text(page, '.recording-facts');
      for (const fact of [
        /Command.*ferry/,
        /Peak3\.14 MiB in use after \d+ ms/,
        /Peak RSS[\d.]+ MiB of [\d.]+ GiB/,
        /Allocations1,427, [\d,]+ per second/,
      ])
        assert.match(facts, fact);
      assert.match(facts, /Temporaryat most 811 \(56\.8% of allocations\)/);
      assert.match(facts, /Leaked154\.1 KiB in 614 blocks in use at the end/);
      const lists = await text(page, '.recording-tables');
      assert.match(lists, /Largest leaks.*load145\.9 KiB600.*Most allocations.*load900.*Most temporary allocations.*spray500/);
      assert.deepEqual(await violations(page), []);
      await shot(page, `recording-summary-${width}`);
      // Values have the names of heaptrack, in every view.
      const names = await page.locator('select[name="si"] option').allTextContents();
      if (width > 1100)
        assert.deepEqual(names.slice(0, 5), [
          'Peak (bytes)',
          'Leaked (bytes)',
          'Allocations',
          'Temporary allocations',
          'Allocated (bytes)',
        ]);
      await page.getByRole('button', { name: /^Leaked \(bytes\)/ }).click();
      await idle(page);
      assert.equal(param(page, 'si'), 'inuse_space');
      assert.match(await text(page, '.headline'), /in use at the end, after \d+ ms/);
    },
    { at: server.url },
  );
});

test('the course is drawn by time, with the peak, the resident memory and allocations', async () => {
  await onBothThemes(
    async (go, width) => {
      const page = await go('/timeline');
      const all = await moments(page);
      assert.ok(all.length > 10 && all.filter(({ isPeak }) => isPeak).length === 1);
      assert.equal(await page.locator('[name="axis"]').count(), 0);
      assert.match(await text(page, '.timeline-svg'), /\d+ ms/);
      assert.equal(await page.locator('.timeline-rss path').count(), 1);
      assert.equal(await page.locator('.timeline-peak').getAttribute('data-peak'), String(all.findIndex(({ isPeak }) => isPeak)));
      assert.match(await text(page, '.timeline-whole'), /3\.14 MiB at the peak, \d+ ms.*154\.1 KiB at the end, \d+ ms/);
      const { x, y } = await pointOf(page, 4);
      await page.mouse.move(x, y);
      const tip = await text(page, '.tooltip');
      assert.ok(tip.startsWith(`${all[4]?.text}moment 5 of ${all.length}Total`), tip);
      assert.match(tip, /RSS of the process[\d.]+ MiB/);
      await shot(page, `recording-timeline-${width}`);
      await page.mouse.move(x, 5);
      assert.deepEqual(await violations(page), []);
      await page.locator('.timeline-bar label', { hasText: 'Allocations' }).click();
      await idle(page);
      assert.equal(param(page, 'si'), 'alloc_objects');
      assert.match(await text(page, '.timeline-whole'), /^1,427 in \d+ ms/);
      assert.equal(await page.locator('.timeline-peak, .timeline-rss').count(), 0);
    },
    { at: server.url },
  );
});

test('a click shows a moment in every view, keys its neighbours, and one click the whole recording again', async () => {
  await onPage(
    async (go) => {
      const page = await go('/timeline');
      const all = await moments(page);
      const { x, y } = await pointOf(page, 4);
      await page.evaluate(() => {
        Reflect.set(window, 'stays', true);
      });
      await page.mouse.click(x, y);
      await idle(page);
      assert.equal(param(page, 'dump'), '5');
      assert.match(
        await text(page, '[data-marks]'),
        new RegExp(`^At ${all[4]?.text} of \\d+ ms: 217\\.8 KiB · moment 5 of ${all.length}$`),
      );
      await page.mouse.move(x, 5);
      await byKey(page, 'top');
      assert.equal(await text(page, '.chip[data-field="dump"] .chip-text'), all[4]?.text);
      assert.match(await text(page, '.footer-total'), new RegExp(`^217\\.8 KiB of .*, in use at ${all[4]?.at} ms of \\d+ ms$`));
      // The point stands for the next moment.
      await page.keyboard.press('.');
      await idle(page);
      assert.equal(param(page, 'dump'), '6');
      await byKey(page, 'flame');
      assert.equal(await text(page, '.chip[data-field="dump"] .chip-text'), all[5]?.text);
      await page.locator('.chip[data-field="dump"] .chip-remove').click();
      await idle(page);
      assert.equal(param(page, 'dump'), null);
      assert.match(await text(page, '.footer-total'), /in use at the peak/);
      assert.equal(await page.evaluate(() => Reflect.get(window, 'stays')), true, 'the page was loaded again');
      // The same by keys alone.
      await byKey(page, 'timeline');
      await page.locator(CHART).focus();
      for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
      await idle(page);
      assert.equal(param(page, 'dump'), '3');
      await page.locator('[name="whole-recording"]').click();
      await idle(page);
      assert.equal(param(page, 'dump'), null);
    },
    { at: server.url },
  );
});

test('a drag shows what changed from one moment to another, in every view', async () => {
  await onPage(
    async (go) => {
      const page = await go('/timeline');
      const all = await moments(page);
      const peak = all.findIndex(({ isPeak }) => isPeak);
      const [a, b] = [await pointOf(page, 2), await pointOf(page, peak)];
      await page.mouse.move(a.x, a.y);
      await page.mouse.down();
      await page.mouse.move((a.x + b.x) / 2, b.y, { steps: 3 });
      await page.mouse.move(b.x, b.y, { steps: 3 });
      assert.match(
        await text(page, '[data-range]'),
        new RegExp(`^Release to see what changed from ${all[2]?.text} to \\d+ ms \\(peak\\): \\+2\\.\\d+ MiB`),
      );
      await page.mouse.up();
      await idle(page);
      assert.deepEqual([param(page, 'dump'), param(page, 'base')], [String(peak + 1), '3']);
      assert.match(
        await text(page, '[data-marks]'),
        new RegExp(`^From ${all[2]?.text} to \\d+ ms \\(peak\\): \\+2\\.\\d+ MiB.* in \\d+ ms$`),
      );
      await shot(page, 'recording-range');
      await page.mouse.move(b.x, 5);
      await byKey(page, 'summary');
      assert.match(
        await text(page, '.headline'),
        new RegExp(`^\\+2\\.\\d+ MiB in use, from ${all[2]?.at} ms to \\d+ ms \\(.*\\): swell grew most, by 2\\.86 MiB\\.$`),
      );
      await byKey(page, 'flame');
      const address = page.url();
      await page.reload();
      await idle(page);
      assert.equal(page.url(), address);
      assert.match(await text(page, '.footer-total'), /now, .* in the baseline; in use, from \d+ ms to \d+ ms$/);
      await page.locator('.chip[data-field="dump"] .chip-remove').click();
      await idle(page);
      assert.deepEqual([param(page, 'dump'), param(page, 'base')], [null, null]);
    },
    { at: server.url },
  );
});

test('a click between two moments shows the time under the pointer, a drag what changed between two times', async () => {
  await onPage(
    async (go) => {
      const page = await go('/timeline');
      const all = await moments(page);
      // The two widest gaps.
      const gaps = all.slice(1).map(({ at }, i) => ({ place: i, wide: at - (all[i]?.at ?? 0) }));
      const [first = 0, second = 0] = gaps
        .sort((a, b) => b.wide - a.wide)
        .slice(0, 2)
        .map(({ place }) => place)
        .sort((a, b) => a - b);
      const between = async (/** @type {number} */ place) => {
        const [a, b] = [await pointOf(page, place), await pointOf(page, place + 1)];
        return { x: (a.x + b.x) / 2, y: a.y };
      };
      const [a, b] = [await between(first), await between(second)];
      await page.mouse.click(a.x, a.y);
      await idle(page);
      assert.match(param(page, 'at') ?? '', /^[\d.]+ms$/);
      const at = Number.parseFloat(param(page, 'at') ?? '');
      assert.ok(at > (all[first]?.at ?? 0) && at < (all[first + 1]?.at ?? 0), `${at} in gap ${first}`);
      assert.equal(param(page, 'dump'), null);
      assert.match(await text(page, '[data-marks]'), /^Shown at [\d.]+ ?m?s$/);
      const mark = await page.locator('[data-mark="time"] line').boundingBox();
      assert.ok(mark !== null && Math.abs(mark.x - a.x) < 3, JSON.stringify([mark, a]));
      await shot(page, 'recording-any-time');
      await page.mouse.move(a.x, a.y);
      await page.mouse.down();
      await page.mouse.move(b.x, b.y, { steps: 4 });
      assert.match(await text(page, '[data-range]'), /^Release to see what changed from [\d.]+ms to [\d.]+ms/);
      await page.mouse.up();
      await idle(page);
      assert.ok(param(page, 'from') !== null && param(page, 'to') !== null && param(page, 'at') === null);
      await page.mouse.move(b.x, 5);
      await byKey(page, 'top');
      assert.match(await text(page, '.footer-total'), /in use, from [\d.]+ ms to [\d.]+ ms$/);
    },
    { at: server.url },
  );
});

test('two recordings are compared by the names of functions', async () => {
  const two = await serve(['-http=localhost:0', '-base=heaptrack/ferry.zst', 'heaptrack/ferry.raw.zst'], { PPROF_BINARY_PATH: 'bin' });
  try {
    await onPage(
      async (go) => {
        // The printed address has the base.
        const page = await go('');
        assert.equal(await text(page, '.chip[data-field="base"] .chip-text'), 'ferry.zst');
        assert.match(await text(page, '.headline'), /^3\.14 MiB in use at the peak, unchanged since the baseline\.$/);
        // The same program twice: every function has the same in both.
        const swell = await page.locator('.summary-table tbody tr', { hasText: 'swell' }).first().textContent();
        assert.match(swell ?? '', /2\.86 MiB.*±0/);
        assert.equal(await page.locator('.card', { hasText: '±0 since baseline' }).count(), 8);
        await page.goto(new URL('/timeline', two.url).href);
        await idle(page);
        assert.ok((await moments(page)).length > 10);
      },
      { at: two.url },
    );
  } finally {
    await two.stop();
  }
});

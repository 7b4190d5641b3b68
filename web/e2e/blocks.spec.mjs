/** Recordings of valgrind: DHAT's presets and accesses by byte, and massif's snapshots over time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byKey, idle, onBothThemes, onPage, param, serve, shot, violations } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** Runs a journey on a server for this file. @param {string} file @param {(url: string) => Promise<void>} journey */
async function withServer(file, journey) {
  const server = await serve(['-http=localhost:0', file]);
  try {
    await journey(server.url);
  } finally {
    await server.stop();
  }
}

/** The text of a part of the page. @param {Page} page @param {string} selector */
async function text(page, selector) {
  return (await page.locator(selector).first().textContent()) ?? '';
}

test('presets of DHAT keep only stacks whose blocks are tiny, short-lived or unread; their thresholds can be edited', async () => {
  await withServer('dhat/weir.heap.json', async (url) => {
    await onPage(
      async (go) => {
        const page = await go('/top?si=alloc_objects');
        const names = async () => await page.locator('tbody tr').allTextContents();
        assert.ok((await names()).some((row) => row.includes('gauges')));
        await page.locator('[name="blocks"]').click();
        const presets = await page.locator('.preset .check').allTextContents();
        for (const label of ['Tiny blocks', 'Short-lived', 'Never read', 'Never written'])
          assert.ok(presets.includes(label), presets.join(', '));
        await page.locator('[name="preset-unread"]').check();
        await idle(page);
        assert.equal(param(page, 'where'), 'reads=0');
        const unread = await names();
        assert.ok(unread.some((row) => row.includes('foam')) && !unread.some((row) => row.includes('gauges')), unread.join('\n'));
        assert.deepEqual(await violations(page), []);
        await page.locator('[name="preset-unread"]').uncheck();
        await page.locator('[name="preset-tiny"]').check();
        await idle(page);
        assert.equal(param(page, 'where'), 'size<=16');
        await page.locator('[name="threshold-tiny"]').fill('100');
        await page.locator('[name="threshold-tiny"]').blur();
        await idle(page);
        assert.equal(param(page, 'where'), 'size<=100');
        assert.ok((await names()).some((row) => row.includes('gauges')));
        await shot(page, 'blocks-presets');
      },
      { at: url },
    );
  });
});

test('a selected function shows which bytes of its blocks are accessed how often', async () => {
  await withServer('dhat/weir.heap.json', async (url) => {
    await onBothThemes(
      async (go, width) => {
        const page = await go('/top?sel=gauges');
        const site = page.locator('.accesses .access-site').first();
        // 8 bytes 400 times, 40 never, 8 bytes 200 times.
        assert.match((await site.locator('.access-head').textContent()) ?? '', /100 blocks of 56 B/);
        assert.equal(await site.locator('.access-field').count(), 3);
        assert.equal(await site.locator('.access-field.hole').count(), 1);
        assert.match((await site.locator('.access-map').getAttribute('aria-label')) ?? '', /3 fields, 40 B never accessed$/);
        await site.locator('summary').click();
        assert.match((await site.locator('.access-fields tbody tr').first().textContent()) ?? '', /^0.7/);
        assert.deepEqual(await violations(page), []);
        await shot(page, `blocks-accesses-${width}`);
      },
      { at: url },
    );
  });
});

test('snapshots of massif are a course with the peak first, and one is shown in every view', async () => {
  await withServer('massif/quarry.out', async (url) => {
    await onPage(
      async (go) => {
        const page = await go('/');
        assert.match(await text(page, '.headline'), /^301\.9 KiB in use at the peak, .*: 99\.73?% held by cut\.$/);
        await byKey(page, 'timeline');
        // Times count instructions, so do the examples.
        assert.equal(await page.locator('[name="time"]').getAttribute('placeholder'), '1.2Mi or 500ki-2Mi');
        assert.ok((await page.locator('.timeline-svg path').count()) > 1);
        assert.equal(await page.locator('.timeline-peak').count(), 1);
        // Only detailed snapshots have stacks: a click is one of them.
        const box = await page.locator('.timeline-chart').boundingBox();
        assert.ok(box !== null);
        await page.mouse.click(box.x + box.width * 0.3, box.y + box.height * 0.5);
        await idle(page);
        assert.match(param(page, 'dump') ?? '', /^\d+$/);
        assert.equal(param(page, 'at'), null);
        await page.mouse.move(box.x, 5);
        await byKey(page, 'flame');
        assert.match(await text(page, '.chip[data-field="dump"] .chip-text'), /instr/);
        await shot(page, 'massif-flame');
      },
      { at: url },
    );
  });
});

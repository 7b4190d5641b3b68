import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { onPage } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

/** Name and bytes of what an entry of the menu gives. @param {Page} page @param {string} label */
async function download(page, label) {
  await page.locator('[name=download]').click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator(`[data-action="${label}"]`).click()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test('download: tables, stacks and the profile, under the filters of the view', async () => {
  await onPage(async (go) => {
    const page = await go('/top?f=main');
    const csv = await download(page, 'CSV');
    assert.equal(csv.name, 'shop-inuse_space-top.csv');
    assert.match(csv.bytes.toString(), /^flat,cum/);
    const stacks = await download(page, 'Collapsed stacks');
    assert.match(stacks.bytes.toString(), /^[^\n]+ \d+\n/);
    assert.ok(
      stacks.bytes
        .toString()
        .trim()
        .split('\n')
        .every((line) => line.includes('main')),
    );
    const profile = await download(page, 'Profile');
    assert.equal(profile.name, 'shop-profile.pb.gz');
    assert.deepEqual([...profile.bytes.subarray(0, 2)], [0x1f, 0x8b]);
    const json = await download(page, 'JSON');
    assert.deepEqual(JSON.parse(json.bytes.toString()).header.filters, ['focus=main']);
  });
});

test('download: pictures', async () => {
  await onPage(async (go) => {
    const page = await go('/flamegraph');
    const svg = await download(page, 'SVG');
    assert.equal(svg.name, 'shop-inuse_space-flame.svg');
    assert.match(svg.bytes.toString(), /<svg/);
    assert.deepEqual([...(await download(page, 'PNG')).bytes.subarray(1, 4)], [...Buffer.from('PNG')]);
    await go('/sizes');
    const bars = await download(page, 'SVG');
    assert.equal(bars.name, 'shop-inuse_space-sizes.svg');
    assert.match(bars.bytes.toString(), /fill="(rgb|oklch|color)/);
    assert.deepEqual([...(await download(page, 'PNG')).bytes.subarray(1, 4)], [...Buffer.from('PNG')]);
  });
});

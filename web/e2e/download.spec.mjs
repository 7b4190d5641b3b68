import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { onPage, shot } from './page.mjs';

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

test('copy: the picture and a Markdown text go to the clipboard', async () => {
  await onPage(async (go) => {
    const page = await go('/top?f=main');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = async (/** @type {string} */ label, /** @type {string} */ said) => {
      await page.locator('[name=download]').click();
      await page.locator(`[data-action="${label}"]`).click();
      await page.locator('.notice.on', { hasText: said }).waitFor();
    };
    const text = () => page.evaluate(() => window.navigator.clipboard.readText());
    await copy('Copy as Markdown', 'Copied as Markdown');
    assert.match(await text(), /^\*\*shop · .* · Top\*\*\n\n```text\nFile: shop\n[^]*Active filters:\n {3}focus=main\n[^]*\n```\n$/);
    await go('/');
    await copy('Copy as Markdown', 'Copied as Markdown');
    assert.match(await text(), /^## Heap profile of `shop`\n/);
    for (const path of ['/flamegraph', '/sizes']) {
      await go(path);
      await page.locator('.view canvas[data-painted], .view svg').first().waitFor();
      await copy('Copy image', 'Image copied');
      const bytes = await page.evaluate(async () => {
        const [item] = await window.navigator.clipboard.read();
        return item === undefined ? 0 : (await item.getType('image/png')).size;
      });
      assert.ok(bytes > 5000, `${path}: ${bytes} bytes`);
    }
    await page.locator('[name=download]').click();
    await shot(page, 'download-menu');
    await page.keyboard.press('Escape');
    await page.locator('[name=share]').click();
    await page.getByRole('textbox', { name: 'Command that shares' }).waitFor();
    await shot(page, 'share-dialog');
  });
});

test('the command that shares keeps filters and base', async () => {
  await onPage(async (go) => {
    const page = await go('/top?f=main&h=x&dump=2&base=0');
    await page.locator('[name=share]').click();
    const command = page.getByRole('textbox', { name: 'Command that shares' });
    await command.waitFor();
    assert.match(await command.inputValue(), / -focus=main -hide=x -base=gperftools\/shop\.0001\.heap$/);
    const report = page.getByRole('textbox', { name: 'Command that exports' });
    assert.match(await report.inputValue(), /^heapview export -with-sources .* -focus=main .* -o report\.html$/);
  });
});

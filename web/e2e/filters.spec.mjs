import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { idle, onPage, param, serve, shot, violations } from './page.mjs';

test('labels: values are kept and dropped, chips come off one by one', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    await page.locator('[name=labels]').click();
    await idle(page);
    const values = page.locator('.label-value');
    assert.ok((await values.count()) > 3);
    await shot(page, 'labels');
    await values.nth(0).click();
    await idle(page);
    await values.nth(1).click();
    await idle(page);
    assert.match(param(page, 'tf') ?? '', /^bytes=[\d:b]+,[\d:b]+$/);
    assert.equal(await page.locator('.chip[data-field="bytes"]').count(), 2);
    await page.keyboard.press('Escape');
    await page.locator('.chip-remove').first().click();
    await idle(page);
    await page.locator('.chip-remove').first().click();
    await idle(page);
    assert.equal(param(page, 'tf'), null);
    await page.locator('[name=labels]').click();
    await idle(page);
    await values.nth(0).click({ modifiers: ['Alt'] });
    await idle(page);
    assert.match(param(page, 'ti') ?? '', /^bytes=/);
    assert.equal(await page.locator('.chip[data-field="not bytes"]').count(), 1);
  });
});

test('chips: what a link sets is seen, edited in place and checked', async () => {
  await onPage(async (go) => {
    const page = await go('/top?f=shop&prunefrom=audit&noinlines=t&dropneg=t');
    for (const field of ['focus', 'prune_from', 'noinlines', 'drop_negative'])
      assert.equal(await page.locator(`.chip[data-field="${field}"]`).count(), 1, field);
    await page.locator('.chip[data-field="focus"] button.chip-text').click();
    const edit = page.getByRole('textbox', { name: 'Change focus' });
    await edit.fill('shop(');
    assert.match((await page.locator('.chip-bad').textContent()) ?? '', /never closed/);
    await edit.fill('main');
    await edit.press('Enter');
    await idle(page);
    assert.equal(param(page, 'f'), 'main');
    await page.locator('.chip[data-field="noinlines"] .chip-remove').click();
    await idle(page);
    assert.equal(param(page, 'noinlines'), null);
    await page.getByRole('button', { name: 'Remove all' }).click();
    await idle(page);
    assert.equal(await page.locator('.chip').count(), 0);
  });
});

test('views: saved under a name, opened, renamed, deleted', async () => {
  await onPage(async (go) => {
    const page = await go('/top?f=main');
    await page.locator('[name=views]').click();
    await page.getByRole('textbox', { name: 'Name for this view' }).fill('mine');
    await page.keyboard.press('Enter');
    await go('/flamegraph');
    await page.locator('[name=views]').click();
    await page.getByRole('button', { name: 'mine', exact: true }).click();
    await idle(page);
    assert.equal(param(page, 'f'), 'main');
    await page.getByRole('button', { name: 'Rename mine' }).click();
    await page.getByRole('textbox', { name: 'New name for mine' }).fill('ours');
    await page.keyboard.press('Enter');
    const saved = page.waitForEvent('download');
    await page.locator('.views-file button').first().click();
    const file = await (await saved).path();
    await page.getByRole('button', { name: 'Delete ours' }).click();
    assert.equal(await page.locator('.views-row').count(), 0);
    // Somebody else opens it like any file.
    await page
      .locator('.header input[data-purpose="show"]')
      .setInputFiles({ name: 'heapview-views.json', mimeType: 'application/json', buffer: await readFile(file) });
    await page.getByRole('button', { name: 'ours', exact: true }).waitFor();
    assert.equal(await page.locator('.opening.on').count(), 0);
  });
});

test('small frames are shown by one click and trimmed again by one chip', async () => {
  await onPage(async (go) => {
    for (const view of ['top', 'graph']) {
      const page = await go(`/${view}`);
      assert.match((await page.locator('.footer-hidden').textContent()) ?? '', /hidden · Show/);
      await page.locator('.footer-hidden button').click();
      await idle(page);
      assert.equal(await page.locator('.footer-hidden').count(), 0);
      assert.deepEqual(await page.locator('.chip').allTextContents(), ['Small frames shown']);
      await page.locator('.chip-remove').click();
      await idle(page);
      assert.deepEqual(
        ['nf', 'ef', 'n'].map((name) => param(page, name)),
        [null, null, null],
      );
      assert.equal(await page.locator('.footer-hidden').count(), 1);
    }
  });
});

test('the number of stacks says that filters do not change it', async () => {
  await onPage(async (go) => {
    const page = await go('/top?f=audit');
    assert.match((await page.locator('.footer-stacks').textContent()) ?? '', /^133 stacks in the profile$/);
  });
});

test('a profile without labels says where labels come from', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heapview-labels-'));
  await writeFile(join(folder, 'stacks.folded'), 'main;parse;grow 100\n');
  const server = await serve(['-http=localhost:0', join(folder, 'stacks.folded')]);
  try {
    await onPage(
      async (go) => {
        const page = await go('/top');
        await page.locator('[name=labels]').click();
        assert.match((await page.locator('.labels-panel').textContent()) ?? '', /No labels in this profile.*jemalloc.*Go/);
        assert.deepEqual(await violations(page), []);
        await page.keyboard.press('Escape');
        assert.equal(await page.locator('.labels-panel').count(), 0);
      },
      { at: server.url },
    );
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
});

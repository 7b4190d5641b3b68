import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, param, shot } from './page.mjs';

/** What is selected may be in no answer any more. */
const EXPECT_GONE = { expectErrors: true };

/** Names of the rows of the table. @param {import('playwright-core').Page} page */
const names = (page) => page.locator('tbody tr[data-row] .name').allTextContents();

test('noise is folded away by kind, and the total stays', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    const total = await page.locator('.footer').textContent();
    await page.locator('select[name="hide_kind"]').selectOption({ label: '+ plumbing' });
    await idle(page);
    assert.equal(param(page, 'hide_kind'), 'allocator,runtime,plumbing');
    assert.ok((await names(page)).length > 0);
    assert.ok((await names(page)).every((name) => !/alloc::|core::|std::/.test(name.replace(/<.*>/, ''))));
    assert.equal((await page.locator('.footer').textContent())?.split(' shown')[0], total?.split(' shown')[0]);
    await shot(page, 'noise-folded');
    await page
      .locator('.chip', { hasText: 'hide_kind' })
      .getByRole('button', { name: /remove/i })
      .click();
    await idle(page);
    assert.equal(param(page, 'hide_kind'), null);
  });
});

test('culprits are charged in every view', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    await page.locator('input[name="culprit"]').check();
    await idle(page);
    assert.equal(param(page, 'culprit'), 't');
    assert.match((await names(page))[0] ?? '', /blank_page/);
    await page.keyboard.press('2');
    await idle(page);
    assert.equal(param(page, 'culprit'), 't');
  });
});

test('a package is moved to another kind, and the rule is listed, changed and taken off', async () => {
  await onPage(async (go) => {
    const page = await go('/top?culprit=t');
    await page.locator('tbody tr[data-row]').first().click();
    await idle(page);
    await page.locator('.details .kind-select').selectOption({ label: 'third party' });
    await idle(page);
    assert.equal(param(page, 'kinds'), 'shop=third_party');
    assert.equal(await page.locator('.details .kind-select').inputValue(), 'third_party');
    await page.locator('button[name="rules"]').click();
    const panel = page.locator('.rules-panel');
    await panel.locator('input[name="rule"]').fill('function:*blank_page=runtime');
    await panel.getByRole('button', { name: 'Add' }).click();
    await idle(page);
    assert.equal(param(page, 'kinds'), 'function:*blank_page=runtime,shop=third_party');
    assert.ok((await names(page)).every((name) => !name.includes('blank_page')));
    await shot(page, 'noise-rules');
    await panel.getByLabel('Kind of shop').selectOption({ label: 'own code' });
    await idle(page);
    assert.equal(param(page, 'kinds'), 'function:*blank_page=runtime,shop=own');
    await panel.getByLabel('Remove the rule shop').click();
    await idle(page);
    assert.equal(param(page, 'kinds'), 'function:*blank_page=runtime');
    await panel.locator('input[name="rule"]').fill('shop=mine');
    assert.match((await panel.getByRole('alert').textContent()) ?? '', /PATTERN=KIND/);
  }, EXPECT_GONE);
});

test('rows stand for packages, modules and libraries', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    await page.locator('[name="view-options"]').click();
    for (const [by, name] of [
      ['packages', 'shop'],
      ['modules', 'shop::audit'],
      ['libraries', 'shop'],
    ]) {
      await page.locator('select[name="g"]').selectOption(by ?? '');
      await idle(page);
      assert.ok((await names(page)).includes(name ?? ''), by);
    }
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idle, nameInRow, onBothThemes, onPage, param, serve, shot, violations } from './page.mjs';

/** What is selected may be in no answer any more. */
const EXPECT_GONE = { expectErrors: true };

/** Names of the rows of the table. @param {import('playwright-core').Page} page */
const names = (page) => page.locator('tbody tr[data-row] .name').allTextContents();

/** @param {import('playwright-core').Page} page */
const level = (page) => page.locator('select[name="show"]');
/** @param {import('playwright-core').Page} page */
const note = async (page) => (await page.locator('.folded-note').allTextContents()).join('');

const MINE = 'allocator,runtime,plumbing,third_party';

/** Names of functions that are nobody's own code in the shop. */
const NOT_MINE = /^(?:<?(?:alloc|core|std)::|__rust|malloc|realloc|calloc|_start|__libc)/;

test('a new browser opens every view of frames on own code, and says what is folded', async () => {
  await onBothThemes(
    async (go, width) => {
      for (const path of ['/flamegraph', '/top', '/tree', '/graph', '/callers', '/source']) {
        const page = await go(path);
        assert.equal(param(page, 'hide_kind'), MINE, path);
        assert.equal(param(page, 'culprit'), 't', path);
        assert.equal(await level(page).inputValue(), 'mine');
        assert.match(await note(page), /^[0-9]+ runtime frames folded · Show all$/, path);
        assert.equal(await page.locator('.chip').count(), 0, path);
        await shot(page, `show-${path.slice(1)}-${width}`);
      }
      const page = await go('/top');
      const all = await names(page);
      assert.ok(all.length > 5);
      assert.deepEqual(
        all.filter((name) => NOT_MINE.test(name)),
        [],
      );
      assert.match(all[0] ?? '', /blank_page/);
      assert.deepEqual(await violations(page), []);
    },
    { level: '' },
  );
});

test('what is shown is chosen once, stands in the address, and is remembered', async () => {
  await onPage(
    async (go) => {
      const page = await go('/top');
      const total = await page.locator('.footer').textContent();
      await page.locator('.folded-note button').click();
      await idle(page);
      assert.equal(param(page, 'hide_kind'), 'none');
      assert.equal(await level(page).inputValue(), 'all');
      assert.ok((await names(page)).some((name) => NOT_MINE.test(name)));
      assert.equal(await note(page), '');
      assert.equal((await page.locator('.footer').textContent())?.split(' shown')[0], total?.split(' shown')[0]);
      // A bare address is as it was left; a link says for itself.
      await go('/flamegraph');
      assert.equal(await level(page).inputValue(), 'all');
      await go(`/flamegraph?hide_kind=${MINE}&culprit=t`);
      assert.equal(await level(page).inputValue(), 'mine');
      await level(page).selectOption({ label: '+ libraries' });
      await idle(page);
      assert.equal(param(page, 'hide_kind'), 'allocator,runtime,plumbing');
      assert.equal(param(page, 'culprit'), null);
      await page.goBack();
      await idle(page);
      assert.equal(await level(page).inputValue(), 'mine');
      await page.reload();
      await idle(page);
      assert.equal(await level(page).inputValue(), 'mine');
    },
    { level: '' },
  );
});

test('links with parameters, and those of pprof, show what they say', async () => {
  await onPage(
    async (go) => {
      for (const path of ['/top?f=shop', '/ui/top', '/ui/flamegraph?f=shop', '/ui/']) {
        const page = await go(path);
        if (path !== '/ui/') assert.equal(await level(page).inputValue(), 'all', path);
        await page.locator('.tab[data-view="top"]').click();
        await idle(page);
        assert.equal(await level(page).inputValue(), 'all', path);
        assert.ok(
          (await names(page)).some((name) => NOT_MINE.test(name)),
          path,
        );
        // Nothing of the address is lost by a reload, not even once all filters are gone.
        for (const chip of await page.locator('.chip .chip-remove').all()) await chip.click();
        await idle(page);
        await page.reload();
        await idle(page);
        assert.equal(await level(page).inputValue(), 'all', path);
      }
      const page = await go('/top?hide_kind=allocator');
      assert.equal(await level(page).inputValue(), 'custom');
      assert.equal(await page.locator('.chip').textContent(), 'Hidden:allocators');
      await page
        .locator('.chip')
        .getByRole('button', { name: /remove/i })
        .click();
      await idle(page);
      assert.equal(await level(page).inputValue(), 'all');
    },
    { level: '' },
  );
});

test('links that name no functions open at the usual level', async () => {
  await onPage(
    async (go) => {
      for (const query of ['si=alloc_space', 'dump=2&base=0', 'sort=cum&unit=MB', 'zoom=&color=kind', 'q=audit&sel=shop::main']) {
        const page = await go(`/flamegraph?${query}`);
        assert.equal(await level(page).inputValue(), 'mine', query);
        assert.equal(param(page, 'hide_kind'), MINE, query);
      }
    },
    { level: '' },
  );
});

test('filters from a menu find closures that are called by the name of their function', async () => {
  await onPage(
    async (go) => {
      const page = await go('/top');
      for (let at = 0; at < 3; at++) {
        await go('/top');
        const name = await nameInRow(page, at);
        await page.locator(`tr[data-row="${at}"]`).click({ button: 'right' });
        await page.getByRole('menuitem', { name: /^Focus/ }).click();
        await idle(page);
        assert.ok((await names(page)).length > 0, name);
        assert.equal(await page.locator('.problem').count(), 0, name);
        assert.equal(await page.locator('.chip-text').textContent(), name);
      }
    },
    { level: '' },
  );
});

test('a function that is folded is shown when it is asked for', async () => {
  await onPage(
    async (go) => {
      const page = await go(`/callers?peek=%5E__rust_alloc$&hide_kind=${MINE}&culprit=t`);
      await page.getByRole('button', { name: 'Show all frames' }).click();
      await idle(page);
      assert.equal(await level(page).inputValue(), 'all');
    },
    { level: '', expectErrors: true },
  );
});

test('a profile without own code is shown whole, and says so', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'heapview-')), 'stacks.folded');
  await writeFile(file, '__libc_start_main;_dl_init;malloc 100\nstd::rt::lang_start;alloc::alloc::alloc 50\n');
  const server = await serve(['-http=localhost:0', '-no_token', file]);
  try {
    await onPage(
      async (go) => {
        const page = await go('/flamegraph');
        assert.equal(await level(page).inputValue(), 'all');
        assert.match(await note(page), /No code of yours found/);
        await shot(page, 'show-nothing-of-mine');
        await page.reload();
        await idle(page);
        assert.equal(await level(page).inputValue(), 'all');
      },
      { level: '', at: server.url },
    );
  } finally {
    await server.stop();
  }
});

test('culprits are charged in every view', async () => {
  await onPage(async (go) => {
    const page = await go('/top?culprit=t');
    assert.equal(await level(page).inputValue(), 'custom');
    assert.equal(await page.locator('.chip').textContent(), 'Charged to my code');
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
    await panel.getByLabel('Kind of shop').selectOption({ label: 'your code' });
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

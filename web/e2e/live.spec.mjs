import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idle, onPage, param, serve, shot } from './page.mjs';

const DUMPS = [1, 2, 3].map((n) => `gperftools/shop.000${n}.heap`);

/**
 * Runs `journey` with a server of its own.
 * @param {string[]} words
 * @param {(server: { url: string, said: () => string, stop: () => Promise<void> }) => Promise<void>} journey
 */
async function withServer(words, journey) {
  const server = await serve(words);
  try {
    await journey(server);
  } finally {
    await server.stop();
  }
}

test('a server that goes and comes back is said, and the page goes on by itself', async () => {
  // With tokens, another run asks for a link of its own: login.spec.mjs has that.
  await withServer(['-no_token', '-http=localhost:0', 'bin/shop', DUMPS[2] ?? ''], async (server) => {
    const { port } = new URL(server.url);
    await onPage(
      async (go) => {
        const page = await go('/top');
        await page.evaluate(() => {
          document.body.dataset['kept'] = 'yes';
        });
        const total = () => page.locator('.footer').textContent();
        const before = await total();
        const banner = page.locator('.lost.on');
        assert.equal(await banner.count(), 0);
        await server.stop();
        await banner.waitFor();
        assert.match((await banner.textContent()) ?? '', /does not answer\. This page stays as it is/);
        await idle(page);
        // The table is still there to read; a view that is not cannot come.
        assert.ok((await page.locator('tr[data-row]').count()) > 3);
        await shot(page, 'lost');
        await page.locator('[data-view="graph"]').click();
        await page.getByText('No answer').waitFor();
        // Another run of the program, of another dump: nobody reloads anything.
        await withServer(['-no_token', `-http=localhost:${port}`, 'bin/shop', DUMPS[0] ?? ''], async () => {
          await page.locator('.node').first().waitFor({ timeout: 15_000 });
          await idle(page);
          assert.equal(await banner.count(), 0);
          assert.notEqual(await total(), before);
          assert.match((await page.locator('.header').textContent()) ?? '', /shop\.0001\.heap/);
          assert.equal(await page.evaluate(() => document.body.dataset['kept']), 'yes');
        });
      },
      { at: server.url, expectErrors: true },
    );
  });
});

test('a bare address shows what the program was started with', async () => {
  await withServer(['-http=localhost:0', `-base=${DUMPS[0]}`, '-focus=main', 'bin/shop', DUMPS[2] ?? ''], async (server) => {
    await onPage(
      async (go) => {
        const page = await go('/');
        assert.equal(param(page, 'base') ?? '1', '1');
        assert.match((await page.locator('.footer').textContent()) ?? '', /in the baseline/);
        assert.match((await page.locator('.chips').textContent()) ?? '', /Focus.*Compared/);
        // What was asked for is not forgotten by looking at something else.
        await page.locator('[data-view="top"]').click();
        await idle(page);
        assert.equal(param(page, 'base'), '1');
      },
      { at: new URL('/', server.url).origin },
    );
  });
});

test('an open page does not ask again and again what is open', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    let asked = 0;
    page.on('request', () => {
      asked += 1;
    });
    await page.waitForTimeout(1500);
    assert.equal(asked, 0);
  });
});

/** @param {string} path below testdata */
const testdata = (path) => `${process.env['HEAPVIEW_TESTDATA']}/${path}`;

test('files open by button and by drop, and their errors are said in place', async () => {
  await withServer(['-http=localhost:0', 'bin/shop', DUMPS[0] ?? ''], async (server) => {
    await onPage(
      async (go) => {
        const page = await go('/top');
        const footer = () => page.locator('.footer').textContent();
        const first = await footer();
        await page.locator('.header input[data-purpose="show"]').setInputFiles(testdata(DUMPS[2] ?? ''));
        await page.waitForFunction(() => new URL(window.location.href).searchParams.get('dump') === '1');
        await idle(page);
        // What is open is told by an event of its own.
        await page.locator('.header', { hasText: '2 dumps' }).waitFor();
        await idle(page);
        assert.notEqual(await footer(), first);
        assert.match((await page.locator('.header').textContent()) ?? '', /shop\.0003\.heap.*2 dumps/);
        // Nothing changed for who names no dump.
        await page.goBack();
        await idle(page);
        assert.equal((await footer())?.split(' shown')[0], first?.split(' shown')[0]);
        // Dropped on the right half: it becomes the base.
        const files = await page.evaluateHandle(async () => {
          const transfer = new window.DataTransfer();
          const text = await (await fetch('/download')).blob();
          transfer.items.add(new window.File([text], 'again.pb.gz'));
          return transfer;
        });
        await page.dispatchEvent('.frame', 'dragover', { dataTransfer: files, clientX: 1200, clientY: 400 });
        await page.locator('.drop-half.on', { hasText: 'Compare' }).waitFor();
        await shot(page, 'drop');
        await page.dispatchEvent('.frame', 'drop', { dataTransfer: files, clientX: 1200, clientY: 400 });
        await page.waitForFunction(() => new URL(window.location.href).searchParams.get('base') === '2');
        await idle(page);
        assert.match((await footer()) ?? '', /in the baseline/);
        assert.match((await page.locator('.chips').textContent()) ?? '', /again\.pb\.gz/);
        // What is none stays out, and says so.
        await page
          .locator('.header input[data-purpose="show"]')
          .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
        await page.locator('.opening .failed').waitFor();
        assert.match((await page.locator('.opening').textContent()) ?? '', /Cannot read notes\.txt: not a profile: expected/);
        await shot(page, 'open-failed');
        await page.locator('.opening button').click();
        assert.equal(await page.locator('.opening.on').count(), 0);
      },
      { at: server.url, expectErrors: true },
    );
  });
});

test('a binary and its dump open together, in whatever order they are chosen', async () => {
  await withServer(['-http=localhost:0', 'bin/shop', DUMPS[2] ?? ''], async (server) => {
    await onPage(
      async (go) => {
        const page = await go('/top');
        await page
          .locator('.header input[data-purpose="show"]')
          .setInputFiles([testdata('bin/shop-v0'), testdata('gperftools/shop-v0.0003.heap')]);
        await page.locator('.header', { hasText: '2 dumps' }).waitFor();
        await page.locator('.opening.on').waitFor({ state: 'detached' });
        await idle(page);
        assert.equal(await page.locator('.opening .failed').count(), 0);
        assert.match((await page.locator('.header').textContent()) ?? '', /shop-v0\.0003\.heap/);
      },
      { at: server.url },
    );
  });
});

test('the base is chosen among all dumps, swapped and taken away', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    const button = page.locator('button[name="dumps"]');
    await button.focus();
    await page.keyboard.press('Enter');
    // The first choice has the focus.
    assert.equal(await page.locator('select[name="shown"]').evaluate((element) => element === document.activeElement), true);
    assert.match((await page.locator('select[name="base"] option').nth(1).textContent()) ?? '', /^shop\.0001\.heap · .*MiB$/);
    await page.locator('select[name="base"]').selectOption('0');
    await idle(page);
    assert.deepEqual([param(page, 'dump'), param(page, 'base')], [null, '0']);
    await shot(page, 'dumps');
    await page.getByRole('button', { name: 'Swap' }).click();
    await idle(page);
    assert.deepEqual([param(page, 'dump'), param(page, 'base')], ['0', '2']);
    assert.match((await button.textContent()) ?? '', /shop\.0001\.heap \(1\/3\)vs shop\.0003\.heap/);
    await page.getByRole('button', { name: 'Clear comparison' }).click();
    await idle(page);
    assert.equal(param(page, 'base'), null);
    await page.locator('select[name="shown"]').focus();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.dumps-box').count(), 0);
    assert.equal(await button.evaluate((element) => element === document.activeElement), true);
  });
});

test('a shared server hands out links that only look', async () => {
  await withServer(['-http=0.0.0.0:0', '-token=the-word-of-the-owner', 'bin/shop', DUMPS[2] ?? ''], async (server) => {
    const { origin } = new URL(server.url);
    let link = '';
    await onPage(
      async (go) => {
        const page = await go('/top?token=the-word-of-the-owner');
        // The token is gone; the page adds what it shows.
        assert.equal(new URL(page.url()).search, '?hide_kind=none');
        await page.locator('[name="share"]').click();
        await page.locator('.share-line').first().waitFor();
        await page.waitForTimeout(300);
        await shot(page, 'share');
        const links = await page.locator('.share-line input').evaluateAll((all) => all.map((one) => Reflect.get(one, 'value')));
        link = links.find((one) => one.includes('token=')) ?? '';
        assert.ok(links.every((one) => !one.includes('the-word-of-the-owner')));
        assert.equal(await page.locator('[name="open-show"]').count(), 1);
      },
      { at: origin, isStranger: true },
    );
    await onPage(
      async () => {
        const refused = await fetch(`${origin}/`);
        assert.equal(refused.status, 401);
        assert.match(await refused.text(), /needs the link that heapview printed/);
      },
      { at: origin, isStranger: true },
    );
    if (link === '') return;
    await onPage(
      async (go) => {
        const { pathname, search } = new URL(link);
        const page = await go(pathname + search);
        assert.equal(new URL(page.url()).pathname, '/top');
        assert.equal(await page.locator('[name="open-show"]').count(), 0);
        assert.ok((await page.locator('tr[data-row]').count()) > 3);
      },
      { at: origin, isStranger: true },
    );
  });
});

test('where nobody else reaches the server, sharing says how', async () => {
  await onPage(async (go) => {
    const page = await go('/top');
    await page.locator('[name="share"]').click();
    const command = page.getByRole('textbox', { name: 'Command that shares' });
    await command.waitFor();
    assert.match(await command.inputValue(), /^heapview -http=0\.0\.0\.0:\d+ .*bin\/shop/);
    await shot(page, 'share-how');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('dialog.share[open]').count(), 0);
  });
});

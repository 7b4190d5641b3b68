import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { idle, onPage, param, serve, shot, violations } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */

const testdata = process.env['HEAPVIEW_TESTDATA'] ?? '';
const SERVED = ['-http=localhost:0', '-no-symbol-cache'];

/**
 * A server in a folder of its own with these files of testdata in it; no debug information is found for them elsewhere.
 * @param {readonly string[]} files
 * @param {(at: { url: string, folder: string, again: (words: string[]) => Promise<string> }) => Promise<void>} use
 * @param {readonly string[]} words
 */
async function inFolder(files, use, words = SERVED) {
  const folder = await mkdtemp(`${tmpdir()}/heapview-start-`);
  const env = { PPROF_BINARY_PATH: '/nowhere', XDG_CACHE_HOME: `${folder}/.cache` };
  await mkdir(`${folder}/dumps`);
  for (const file of files) await copyFile(`${testdata}/${file}`, `${folder}/${file.split('/').at(-1)}`);
  /** @type {{ stop: () => Promise<void> }[]} */
  const servers = [];
  const start = async (/** @type {readonly string[]} */ given) => {
    const server = await serve([...given], env, folder);
    servers.push(server);
    return server.url;
  };
  try {
    await use({ url: await start(words), folder, again: start });
  } finally {
    for (const server of servers) await server.stop();
    await rm(folder, { recursive: true });
  }
}

/** Drops files of testdata, or texts, on the page. @param {Page} page @param {readonly { name: string, base64: string }[]} files */
async function drop(page, files) {
  const transfer = await page.evaluateHandle((given) => {
    const all = new window.DataTransfer();
    for (const { name, base64 } of given) {
      const bytes = Uint8Array.from(window.atob(base64), (c) => c.charCodeAt(0));
      all.items.add(new window.File([bytes], name));
    }
    return all;
  }, files);
  await page.dispatchEvent('.frame', 'dragover', { dataTransfer: transfer, clientX: 1000, clientY: 300 });
  await page.locator('.drop-half.on', { hasText: 'Open' }).waitFor();
  await page.dispatchEvent('.frame', 'drop', { dataTransfer: transfer, clientX: 1000, clientY: 300 });
}

/** @param {string} path below testdata */
async function file(path) {
  const { readFile } = await import('node:fs/promises');
  return { name: path.split('/').at(-1) ?? '', base64: (await readFile(`${testdata}/${path}`)).toString('base64') };
}

/** Waits for the Summary in place of the start page, without a reload. @param {Page} page */
async function summaryOpens(page) {
  await page.locator('.tab.on[data-view="summary"]').waitFor();
  await idle(page);
  assert.equal(await page.locator('.start').count(), 0);
}

test('a dump and its program that are dropped together open the Summary', async () => {
  await inFolder([], async ({ url }) => {
    await onPage(
      async (go) => {
        const page = await go('/');
        assert.equal(await page.title(), 'heapview');
        assert.match((await page.locator('.start').textContent()) ?? '', /Drop a heap dump here/);
        await page.getByRole('region', { name: 'How to make a dump' }).waitFor();
        await shot(page, 'start-empty');
        await drop(page, [await file('gperftools/shop.0003.heap'), await file('bin/shop')]);
        await summaryOpens(page);
        await page.locator('.header', { hasText: 'shop' }).waitFor();
        await page.locator('.summary', { hasText: 'shop::' }).first().waitFor();
        assert.equal(param(page, 'dump'), null);
      },
      { at: url },
    );
  });
});

test('a program alone, then files that are no profiles: one sentence each, and the dump still opens', async () => {
  await inFolder([], async ({ url }) => {
    await onPage(
      async (go) => {
        const page = await go('/');
        const input = page.locator('.start input[data-purpose="show"]');
        await input.setInputFiles(`${testdata}/bin/shop`);
        await page.locator('.start-waiting', { hasText: 'shop is a program. Now open a heap dump that it wrote.' }).waitFor();
        await shot(page, 'start-program');
        for (const [name, text, said] of [
          ['notes.txt', 'hello\n', /Cannot read notes\.txt: not a profile: .*heapview opens gperftools, jemalloc and pprof heap profiles/],
          ['trace.json', '{"traceEvents":[]}', /Cannot read trace\.json/],
          ['empty.heap', '', /Cannot read empty\.heap: .*empty/],
          ['broken', '\x7fELF\x02\x01\x01', /Cannot read .*broken/],
        ]) {
          await input.setInputFiles({ name: String(name), mimeType: 'text/plain', buffer: Buffer.from(String(text)) });
          await page.locator('.opening .failed', { hasText: String(name) }).waitFor();
          assert.match((await page.locator('.opening').textContent()) ?? '', /** @type {RegExp} */ (said));
          await page.locator('.opening button').click();
        }
        await shot(page, 'start-refused');
        await input.setInputFiles(`${testdata}/gperftools/shop.0003.heap`);
        await summaryOpens(page);
        await page.locator('.summary', { hasText: 'shop::' }).first().waitFor();
      },
      { at: url, expectErrors: true },
    );
  });
});

test('dumps of the folder and recent files open with a click', async () => {
  const dumps = [1, 2, 3].map((n) => `gperftools/shop.000${n}.heap`);
  await inFolder([...dumps, 'bin/shop'], async ({ url, folder, again }) => {
    await writeFile(`${folder}/notes.txt`, 'hi\n');
    await onPage(
      async (go) => {
        const page = await go('/');
        const entry = page.locator('.start-list button');
        await entry.first().waitFor();
        assert.equal(await entry.count(), 1);
        assert.match((await entry.first().textContent()) ?? '', /shop\.0001\.heap … shop\.0003\.heap3 dumps · /);
        await entry.first().click();
        await summaryOpens(page);
        await page.locator('.header', { hasText: 'shop.0003.heap' }).waitFor();
        await page.locator('.summary', { hasText: 'shop::' }).first().waitFor();
      },
      { at: url },
    );
    await onPage(
      async (go) => {
        const page = await go('/');
        const recent = page.getByRole('region', { name: 'Recent' }).locator('li button');
        await recent.first().waitFor();
        assert.match((await recent.first().textContent()) ?? '', /shop\.0001\.heap shop\.0002\.heap shop\.0003\.heap/);
        // One that is gone meanwhile is said, and the rest can still be opened.
        await rm(`${folder}/shop.0002.heap`);
        await rm(`${folder}/shop.0001.heap`);
        await rm(`${folder}/shop.0003.heap`);
        await recent.first().click();
        await page.locator('.start-problem', { hasText: 'shop.000' }).waitFor();
        assert.equal(await recent.count(), 0);
      },
      { at: await again(SERVED), expectErrors: true },
    );
  });
});

test('the list of recent files is cleared on request, for later starts too', async () => {
  await inFolder(['gperftools/shop.0001.heap', 'gperftools/shop.0002.heap'], async ({ again }) => {
    await again([...SERVED, 'shop.0001.heap']);
    const url = await again(SERVED);
    await onPage(
      async (go) => {
        const page = await go('/');
        const recent = page.getByRole('region', { name: 'Recent' });
        await recent.locator('li', { hasText: 'shop.0001.heap' }).waitFor();
        await shot(page, 'start-recent');
        await recent.getByRole('button', { name: 'Clear list' }).click();
        await recent.waitFor({ state: 'detached' });
        // The files themselves stay, and still open.
        await page.getByRole('region', { name: 'In this folder' }).locator('li', { hasText: 'shop.0001.heap' }).waitFor();
        await page.reload();
        await page.locator('.start-list').first().waitFor();
        assert.equal(await recent.count(), 0);
        assert.deepEqual(await violations(page), []);
      },
      { at: url },
    );
  });
});

test('the logo leads to what can be opened; another profile opens after a confirmation, for all viewers', async () => {
  await inFolder(['gperftools/shop.0001.heap', 'gperftools/shop.0002.heap', 'gperftools/shop.0003.heap'], async ({ url, folder }) => {
    await rename(`${folder}/shop.0003.heap`, `${folder}/after.heap`);
    await onPage(
      async (go) => {
        const page = await go('/');
        const entry = (/** @type {string} */ name) => page.locator('.start-list li button', { hasText: name });
        await entry('shop.0001.heap').click();
        await summaryOpens(page);
        // Another viewer, with a view of this profile.
        const viewer = await page.context().newPage();
        await viewer.goto(`${url}/flamegraph?dump=0&hide_kind=none`);
        await idle(viewer);
        assert.equal(await viewer.locator('.tab.on').getAttribute('data-view'), 'flame');

        await page.goto(`${url}/top?hide_kind=none&g=files`);
        await idle(page);
        await page.locator('.brand').click();
        await page.locator('.start-open', { hasText: '(2 dumps) is open' }).waitFor();
        assert.equal(new URL(page.url()).pathname, '/start');
        await entry('after.heap').waitFor();
        await shot(page, 'start-other');
        assert.deepEqual(await violations(page), []);
        // Back, by the button and by the browser, to the very same view.
        await page.locator('button[name="back"]').click();
        await page.locator('.tab.on[data-view="top"]').waitFor();
        await idle(page);
        assert.equal(param(page, 'g'), 'files');
        await page.goBack();
        await page.locator('.start-open').waitFor();
        await page.goBack();
        await page.locator('.tab.on[data-view="top"]').waitFor();
        assert.equal(param(page, 'g'), 'files');
        await page.goForward();

        // Nothing is closed before the answer.
        await entry('after.heap').click();
        const dialog = page.getByRole('dialog', { name: 'Open after.heap?' });
        await dialog.waitFor();
        await shot(page, 'start-replace');
        assert.deepEqual(await violations(page), []);
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await dialog.waitFor({ state: 'hidden' });
        await entry('after.heap').click();
        await dialog.waitFor();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
        await idle(viewer);
        assert.equal(await viewer.locator('.tab.on').getAttribute('data-view'), 'flame');
        await entry('after.heap').click();
        await dialog.getByRole('button', { name: 'Open it' }).click();
        await summaryOpens(page);
        await page.locator('.header', { hasText: 'after.heap' }).waitFor();
        assert.equal(new URL(page.url()).pathname, '/');

        await viewer.bringToFront();
        await viewer.locator('.notice.on', { hasText: 'The owner of this server opened after.heap' }).waitFor();
        await viewer.locator('.tab.on[data-view="summary"]').waitFor();
        await viewer.locator('.header', { hasText: 'after.heap' }).waitFor();
        assert.equal(param(viewer, 'dump'), null);
      },
      { at: url },
    );
  });
});

test('dropped files take the place of the open profile on the start page only, and refused ones do not', async () => {
  await inFolder(['gperftools/shop.0001.heap'], async ({ url }) => {
    await onPage(
      async (go) => {
        const page = await go('/');
        await page.locator('.start-list li button').first().click();
        await summaryOpens(page);
        await page.locator('.brand').click();
        await page.locator('.start-open').waitFor();
        const agree = page.locator('.replace-dialog button[name="replace"]');
        await drop(page, [{ name: 'notes.txt', base64: 'aGVsbG8K' }]);
        await agree.click();
        await page.locator('.opening .failed', { hasText: 'notes.txt' }).waitFor();
        await page.locator('.start-open').waitFor();
        await drop(page, [await file('gperftools/shop.0002.heap'), await file('gperftools/shop.0003.heap')]);
        await page.getByRole('dialog', { name: 'Open 2 files?' }).waitFor();
        await agree.click();
        await summaryOpens(page);
        await page.locator('.header', { hasText: 'shop.0003.heap' }).waitFor();
        await page.locator('.header', { hasText: '2 dumps' }).waitFor();
      },
      { at: url, expectErrors: true },
    );
  });
});

test('where the command line names the files, or the link is read-only, the logo leads to the Summary', async () => {
  await inFolder(['gperftools/shop.0001.heap'], async ({ again }) => {
    await onPage(
      async (go) => {
        const page = await go('/top');
        await page.locator('.brand').click();
        await summaryOpens(page);
        // By its address, either.
        await page.goto(new URL('/start', page.url()).href);
        await page.getByText('Page not found').waitFor();
      },
      { at: await again([...SERVED, 'shop.0001.heap']) },
    );
  });
});

test('refused files are listed above what can be opened, and cover nothing', async () => {
  await inFolder(['gperftools/shop.0001.heap'], async ({ url }) => {
    await onPage(
      async (go) => {
        const page = await go('/');
        await page.locator('.start-list button').first().waitFor();
        await page
          .locator('.start input[data-purpose="show"]')
          .setInputFiles([1, 2, 3, 4].map((n) => ({ name: `notes${n}.txt`, mimeType: 'text/plain', buffer: Buffer.from('hello\n') })));
        await page.locator('.opening .failed').first().waitFor();
        await shot(page, 'start-refused-many');
        const [card, list] = [await page.locator('.opening').boundingBox(), await page.locator('.start-list').first().boundingBox()];
        assert.ok(card !== null && list !== null && card.y + card.height <= list.y, JSON.stringify([card, list]));
        await page.locator('.start-list button').first().click();
        await summaryOpens(page);
      },
      { at: url, width: 1024, expectErrors: true },
    );
  });
});

for (const [width, dark] of /** @type {const} */ ([
  [1440, false],
  [1440, true],
  [1024, false],
  [1024, true],
  [390, false],
  [390, true],
])) {
  test(`the start page fits ${width} pixels, ${dark ? 'dark' : 'light'}`, async () => {
    const dumps = [1, 2, 3].map((n) => `gperftools/shop.000${n}.heap`);
    await inFolder(dumps, async ({ url }) => {
      await onPage(
        async (go) => {
          const page = await go('/');
          await page.locator('.start-list button').first().waitFor();
          assert.deepEqual(await violations(page), []);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
          await shot(page, `start-${width}-${dark ? 'dark' : 'light'}`);
          // By keyboard alone.
          await page.keyboard.press('Tab');
          assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Choose files…');
          await page.keyboard.press('Tab');
          await page.keyboard.press('Enter');
          await summaryOpens(page);
        },
        { at: url, width, dark },
      );
    });
  });
}

test('a watched folder that is empty is waited for, and its first dump opens by itself', async () => {
  await inFolder(
    [],
    async ({ url, folder }) => {
      await onPage(
        async (go) => {
          const page = await go('/');
          await page.locator('.start-waiting', { hasText: 'Waiting for the first dump in dumps' }).waitFor();
          await shot(page, 'start-waiting');
          await copyFile(`${testdata}/gperftools/shop.0001.heap`, `${folder}/dumps/shop.0001.heap`);
          await summaryOpens(page);
          await page.locator('.header', { hasText: 'shop.0001.heap' }).waitFor();
          await copyFile(`${testdata}/gperftools/shop.0002.heap`, `${folder}/dumps/shop.0002.heap`);
          await page.locator('.header', { hasText: 'shop.0002.heap' }).waitFor();
        },
        { at: url },
      );
    },
    ['-http=localhost:0', '-watch', '-every=200ms', 'dumps'],
  );
});

/**
 * Screenshots of every view of a running heapview, at three widths and in both themes, to be looked at:
 * `node dev/shots.mjs http://localhost:8080 OUT [view…]`, of a server started with `-no_token`. With several dumps, differences as well.
 */
import { mkdir } from 'node:fs/promises';
import { chromium } from 'playwright-core';

const [url = 'http://localhost:8080', out = '/tmp/heapview-shots', ...only] = process.argv.slice(2);
const ARGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];

/** @param {import('playwright-core').Page} page @param {string} path */
async function open(page, path) {
  await page.goto(url + path);
  await page
    .waitForFunction(() => document.body.dataset['idle'] === 'true', undefined, { timeout: 30_000 })
    .catch(() => {
      console.log('not idle', path);
    });
}

await mkdir(out, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ARGS });
for (const width of [1440, 1100, 1920]) {
  for (const theme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme === 'dark' ? 'dark' : 'light' });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') console.log(page.url(), message.text());
    });
    page.on('pageerror', (error) => {
      console.log(page.url(), error.stack);
    });
    await open(page, '/top?sort=cum');
    const name = (await page.locator('tr[data-row="5"] .name-cell').getAttribute('title')) ?? '';
    const views = await page.locator('.tab').evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('data-view') ?? ''));
    const paths = await page
      .locator('.tab')
      .evaluateAll((tabs) => tabs.map((tab) => (tab.getAttribute('href') ?? '').split('?', 1)[0] ?? ''));
    for (const [i, view] of views.entries()) {
      if (only.length > 0 && !only.includes(view)) continue;
      const path = paths[i] ?? '/';
      const selected = `sel=${encodeURIComponent(name)}`;
      const ways =
        width === 1440 ? { plain: '', selected, diff: 'dump=2&base=0', search: 'q=a' } : { plain: '', diff: `dump=2&base=0&${selected}` };
      for (const [way, query] of Object.entries(ways)) {
        await open(page, `${path}?${query}`);
        await page.screenshot({ path: `${out}/${view}-${way}-${width}-${theme}.png` });
      }
    }
    await context.close();
  }
}
await browser.close();

/** Screenshots of the page on the made-up heap: `node dev/shots.mjs OUT [stacks] [name…]`. */
import { mkdir } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { startMock } from './mock-server.mjs';

const out = process.argv[2] ?? '/tmp/shots';
const stacks = Number(process.argv[3] ?? 9000);
const only = process.argv.slice(4);
const end = encodeURIComponent('^<parity_db::log::Log>::end_record$');
const PAGES = {
  flame: '/',
  'flame-search': '/flamegraph?q=parity_db',
  'flame-diff': '/flamegraph?dump=2&base=0',
  'flame-up': '/flamegraph?inverted=t',
  'flame-sel': `/flamegraph?sel=${encodeURIComponent('<parity_db::log::Log>::end_record')}`,
  top: `/top?sel=${encodeURIComponent('<parity_db::log::Log>::end_record')}`,
  'top-diff': '/top?dump=2&base=0',
  'top-search': '/top?q=tokio&f=forest',
  'top-bad': '/top?q=foo(bar',
  graph: '/graph?n=40',
  'graph-sel': `/graph?n=20&sel=${encodeURIComponent('<parity_db::log::Log>::end_record')}`,
  'graph-diff': '/graph?n=20&dump=2&base=0',
  callers: `/callers?peek=${end}&sel=${encodeURIComponent('<parity_db::log::Log>::end_record')}`,
  'callers-diff': `/callers?peek=${end}&dump=2&base=0`,
  picker: '/callers',
  refused: '/top?f=foo(bar',
  empty: '/top?f=nothing_like_it',
  lost: '/nowhere',
};

await mkdir(out, { recursive: true });
const { server, url } = await startMock({ stacks });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
for (const width of [1440, 1100]) {
  for (const theme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
    const page = await context.newPage();
    page.on('console', (m) => {
      if (m.type() === 'error' || m.type() === 'warning') console.log(theme, width, m.text());
    });
    page.on('pageerror', (e) => {
      console.log('PAGE ERROR', e.stack);
    });
    for (const [name, path] of Object.entries(PAGES)) {
      if (only.length > 0 ? !only.includes(name) : width === 1100 && !['flame', 'top', 'top-diff', 'graph', 'callers'].includes(name))
        continue;
      await page.goto(url + path);
      await page
        .waitForFunction(() => document.body.dataset.idle === 'true', undefined, { timeout: 20000 })
        .catch(() => {
          console.log('not idle', name);
        });
      if (name === 'flame') await page.mouse.move(500, 400);
      await page.waitForTimeout(50);
      await page.screenshot({ path: `${out}/${name}-${width}-${theme}.png` });
    }
    await context.close();
  }
}
await browser.close();
server.close();

/**
 * A sheet of screenshots to look at: every view of a running heapview at four widths in both themes, with a selection,
 * a search and, of several dumps, a comparison. `npm run sheet -- http://localhost:8080 FOLDER [view…] [width…] [theme…]`,
 * such as `summary flame 390 dark`; the token of the server comes from HEAPVIEW_TOKEN. FOLDER/index.html shows them all, and
 * what is wrong by measure: text that is cut, controls that overlap, a page that scrolls sideways.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';

const [url = 'http://localhost:8080', out = 'sheet', ...chosen] = process.argv.slice(2);
const TOKEN = process.env['HEAPVIEW_TOKEN'] ?? '';
const ARGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
/** Width and height. @type {readonly (readonly [number, number])[]} */
const SIZES = [
  [1440, 900],
  [1280, 800],
  [1024, 768],
  [390, 844],
];
const THEMES = /** @type {const} */ (['light', 'dark']);
const widths = chosen.filter((word) => /^[0-9]+$/.test(word)).map(Number);
const themes = THEMES.filter((theme) => chosen.includes(theme));
const only = chosen.filter((word) => !/^[0-9]+$/.test(word) && !THEMES.some((theme) => theme === word));

/** @typedef {{ file: string, title: string, faults: readonly string[] }} Shot */

/** What can be measured to be wrong on the page. @param {import('playwright-core').Page} page @returns {Promise<string[]>} */
async function faultsOf(page) {
  return page.evaluate(() => {
    /** @type {string[]} */
    const faults = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth - root.clientWidth} px too wide`);
    const name = (/** @type {Element} */ e) =>
      `${e.tagName.toLowerCase()}.${[...e.classList].join('.')} “${(e.textContent ?? '').trim().slice(0, 40)}”`;
    for (const cell of document.querySelectorAll('td.right')) {
      if (cell.scrollWidth > cell.clientWidth) faults.push(`a number is cut: ${name(cell)}`);
    }
    const controls = [
      ...document.querySelectorAll(
        '.header > *, .tabs > *, .dumps, .view-options, .search, .labels, .chip, .frame-filter > *, .view-bar > *',
      ),
    ];
    const boxes = controls.map((e) => ({ e, r: e.getBoundingClientRect() })).filter(({ r }) => r.width > 0 && r.height > 0);
    boxes.forEach(({ e, r }, i) => {
      for (const { e: f, r: s } of boxes.slice(i + 1)) {
        if (e.contains(f) || f.contains(e)) continue;
        const [w, h] = [Math.min(r.right, s.right) - Math.max(r.left, s.left), Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top)];
        if (w > 1 && h > 1) faults.push(`${name(e)} and ${name(f)} overlap`);
      }
      const scrolls = e.closest('.tabs, .frame-filter, .view-bar, .footer') !== null && root.clientWidth < 900;
      if (r.right > root.clientWidth + 1 && !scrolls) faults.push(`${name(e)} leaves the window`);
    });
    return [...new Set(faults)];
  });
}

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
/** @type {Shot[]} */
const shots = [];
for (const [width, height] of SIZES.filter(([w]) => widths.length === 0 || widths.includes(w))) {
  for (const theme of themes.length === 0 ? THEMES : themes) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, hasTouch: width < 600 });
    const page = await context.newPage();
    page.on('pageerror', (error) => {
      console.log(page.url(), error.stack);
    });
    if (TOKEN !== '') await page.goto(`${new URL(url).origin}/api/v1/fields?token=${TOKEN}`);
    await open(page, '/top?sort=cum');
    const name = (await page.locator('tr[data-row="3"] .name-cell').getAttribute('title')) ?? '';
    const tabs = await page
      .locator('.tab')
      .evaluateAll((all) => all.map((tab) => [tab.getAttribute('data-view') ?? '', tab.getAttribute('href') ?? '']));
    const nDumps = (await page.locator('button[name="dumps"]').count()) === 0 ? 1 : 3;
    for (const [view = '', href = ''] of tabs) {
      if (only.length > 0 && !only.includes(view)) continue;
      const path = href.split('?', 1)[0] ?? '/';
      const selected = `sel=${encodeURIComponent(name)}`;
      const ways = { plain: '', selected, search: 'q=a', ...(nDumps > 1 ? { compared: 'dump=2&base=0' } : {}) };
      for (const [way, query] of Object.entries(ways)) {
        await open(page, `${path}?${query}`);
        const file = `${view}-${way}-${width}-${theme}.png`;
        await page.screenshot({ path: `${out}/${file}` });
        shots.push({ file, title: `${view} · ${way} · ${width} · ${theme}`, faults: await faultsOf(page) });
      }
    }
    await context.close();
  }
}
await browser.close();

const escape = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const figures = shots.map(
  ({ file, title, faults }) =>
    `<figure><figcaption>${escape(title)}${faults.map((f) => `<b>${escape(f)}</b>`).join('')}</figcaption><a href="${file}"><img src="${file}" alt="${escape(title)}" loading="lazy"></a></figure>`,
);
await writeFile(
  `${out}/index.html`,
  `<!doctype html><meta charset="utf-8"><title>heapview, every view</title>
<style>body{font:14px system-ui;margin:16px;display:flex;flex-wrap:wrap;gap:16px}figure{margin:0;width:46%}img{max-width:100%;border:1px solid #8888}b{display:block;color:#b3261e}</style>
${figures.join('\n')}`,
);
const wrong = shots.filter(({ faults }) => faults.length > 0);
for (const { title, faults } of wrong) console.log(`${title}\n  ${faults.join('\n  ')}`);
console.log(`${shots.length} pictures in ${out}, ${wrong.length} with faults`);

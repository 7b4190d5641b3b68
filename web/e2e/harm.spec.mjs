import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { onBothThemes, serve, shot } from './page.mjs';

/** Red means harm: growth that is sure and still there. Everything else is told in other colours. */

/** Texts in the colours of harm and alarm, in the order of the page. @param {import('playwright-core').Page} page */
async function reds(page) {
  return page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    const red = ['--up', '--alarm'].map((name) => {
      probe.style.color = `var(${name})`;
      return getComputedStyle(probe).color;
    });
    probe.remove();
    return [...document.querySelectorAll('body *')].flatMap((element) => {
      const own = [...element.childNodes]
        .flatMap((node) => (node.nodeType === window.Node.TEXT_NODE ? (node.textContent ?? '').trim() : ''))
        .join('');
      const { color, fill } = getComputedStyle(element);
      const isSeen = element.getClientRects().length > 0;
      return own !== '' && isSeen && red.includes(element instanceof window.SVGElement ? fill : color)
        ? [(element.textContent ?? '').trim()]
        : [];
    });
  });
}

const TIDES = Array.from({ length: 24 }, (_, i) => `gperftools/tides.${String(i + 1).padStart(4, '0')}.heap`);

test('of a series only leaks are red: no step, no plateau, nothing that goes up and down', async () => {
  const server = await serve(['-http=localhost:0', 'bin/tides', ...TIDES], { PPROF_BINARY_PATH: 'bin' });
  try {
    await onBothThemes(
      async (go, width) => {
        const page = await go('/timeline');
        const shapes = await page.locator('.shape').allTextContents();
        assert.ok(
          ['leak', 'plateau', 'up and down', 'sawtooth', 'shrinking'].every((word) => shapes.includes(word)),
          shapes.join(),
        );
        // A step says how large it is.
        assert.match(shapes.join('\n'), /^step of [\d.]+ KiB$/m);
        assert.deepEqual(await reds(page), ['leak, in steps', 'leak', 'leak']);
        await go('/');
        const rows = page.locator('a.growing-row');
        const named = (/** @type {string} */ name) =>
          rows.filter({ hasText: name }).locator(':scope > span:nth-last-child(2)').textContent();
        const leaks = await Promise.all(['atlas::chart', 'logbook::note', 'gauge::read'].map(named));
        assert.ok(
          leaks.every((slope) => /^\+[\d.]+ ± [\d.]+ (?:KiB|B)$/.test(slope ?? '')),
          leaks.join(),
        );
        assert.deepEqual(await reds(page), leaks);
        assert.match((await named('almanac::load')) ?? '', /^step of [\d.]+ KiB$/);
        await shot(page, `harm-${width}`);
        // Compared, what grew is red and what shrank is not.
        await go('/top?dump=23&base=0');
        const grown = await reds(page);
        assert.ok(grown.length > 0);
        assert.deepEqual(
          grown.filter((text) => !text.startsWith('+')),
          [],
        );
        assert.ok((await page.locator('.delta.down').count()) > 0);
      },
      { at: server.url },
    );
  } finally {
    await server.stop();
  }
});

test('files that were skipped and libraries of the system that are missing are notes, not warnings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heapview-harm-'));
  const testdata = process.env['HEAPVIEW_TESTDATA'] ?? '';
  for (const dump of TIDES.slice(0, 3)) await copyFile(join(testdata, dump), join(folder, dump.replace('gperftools/', '')));
  await writeFile(join(folder, 'trace.json'), '{"traceEvents":[]}');
  const server = await serve(['-http=localhost:0', join(testdata, 'bin/tides'), '.'], { PPROF_BINARY_PATH: join(testdata, 'bin') }, folder);
  try {
    await onBothThemes(
      async (go) => {
        const page = await go('/');
        const notes = page.locator('.footer .notes');
        await notes.locator('summary').click();
        assert.match((await notes.textContent()) ?? '', /skipped 1 file that is not a profile/);
        assert.equal(await page.locator('.footer .warnings:not(.notes):not(.doctor)').count(), 0);
        assert.deepEqual(await reds(page), []);
      },
      { at: server.url },
    );
  } finally {
    await server.stop();
    await rm(folder, { recursive: true });
  }
});

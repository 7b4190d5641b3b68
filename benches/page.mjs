/**
 * Measures the page in headless Chromium; see page.sh. Every number is the best of RUNS runs, each in a fresh profile
 * of the browser. Times in the page are taken by the browser's own clock, script time per frame from its trace:
 * what runs of scripts (event handlers, frame callbacks, timers, microtasks, garbage collection) on the page's main
 * thread between two frames; layout and painting by the browser are not in it.
 */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { setTimeout as pause } from 'node:timers/promises';

const { chromium } = createRequire(new URL('../web/package.json', import.meta.url))('playwright-core');
const [, , heapview] = process.argv;
const { PPROF = '', BENCH_DIR = '/tmp/heapview-bench', CHROMIUM = '/usr/bin/chromium' } = process.env;
const RUNS = Number(process.env.RUNS ?? 3);
const WINDOW = { width: 1440, height: 900 };
const FRAME_MS = 1000 / 60;

/** Starts a server and waits until it answers at `path`. */
async function serve(command, path) {
  const [program, ...args] = command;
  const port = 20000 + Math.floor(Math.random() * 20000);
  const child = spawn(program, [...args.map((a) => a.replace('PORT', port))], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  const url = `http://localhost:${port}`;
  for (const end = Date.now() + 180_000; Date.now() < end; await pause(100)) {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`);
    const answer = await fetch(url + path).catch(() => undefined);
    const text = await answer?.text();
    if (answer?.ok && !text.includes('"state":"working"')) return { url, stop: () => child.kill() };
  }
  throw new Error(`${program} does not answer at ${url}${path}`);
}

/** Runs in the page before its own scripts: notes when things are first on the screen. */
function observe() {
  const seen = (globalThis.seen = { drawn: [], keys: [], frames: [] });
  const onScreen = (note) => requestAnimationFrame(() => requestAnimationFrame(() => note(performance.now())));
  new MutationObserver((changes) => {
    const now = performance.now();
    for (const { type, target, addedNodes } of changes) {
      const painted = type === 'attributes' || [...addedNodes].some((n) => n.classList?.contains('boxbg'));
      if (painted) seen.drawn.push(now);
      if (painted && seen.first === undefined) {
        seen.first = 0;
        onScreen((at) => (seen.first = at));
      }
      if (target.id === 'search-says') seen.said = now;
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['data-painted'] });
  document.addEventListener('keydown', (e) => seen.keys.push(e.timeStamp), true);
  const frame = (now) => {
    seen.frames.push(now);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

async function withPage(url, act) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: WINDOW });
    await page.addInitScript(observe);
    const answers = [];
    const client = await page.context().newCDPSession(page);
    await client.send('Network.enable');
    const paths = new Map();
    const decoded = new Map();
    client.on('Network.responseReceived', ({ requestId, response }) => paths.set(requestId, new URL(response.url)));
    client.on('Network.dataReceived', ({ requestId, dataLength }) => decoded.set(requestId, (decoded.get(requestId) ?? 0) + dataLength));
    client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const at = paths.get(requestId);
      if (at?.protocol.startsWith('http')) answers.push({ path: at.pathname, sent: encodedDataLength, size: decoded.get(requestId) ?? 0 });
    });
    return await act({ page, browser, answers, url });
  } finally {
    await browser.close();
  }
}

const idle = (page) => page.waitForFunction(() => document.body.dataset.idle === 'true', undefined, { timeout: 120_000 });
const share = (values, part) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

const SCRIPTS = new Set(['FunctionCall', 'EvaluateScript', 'FireAnimationFrame', 'EventDispatch', 'TimerFire', 'RunMicrotasks', 'V8.GC_SCAVENGER', 'MinorGC', 'MajorGC']);

/** Script time of each frame while `act` runs, in ms, and the time between frames. */
async function traced({ page, browser }, act) {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8'] });
  await page.evaluate(() => (seen.frames = []));
  await act();
  const stamps = await page.evaluate(() => seen.frames);
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()));
  // The page's thread is the one that ran most frame callbacks.
  const callbacks = traceEvents.filter((e) => e.name === 'FireAnimationFrame' && e.dur !== undefined);
  const counts = new Map();
  for (const { pid, tid } of callbacks) counts.set(`${pid} ${tid}`, (counts.get(`${pid} ${tid}`) ?? 0) + 1);
  const [thread] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [''];
  const mine = traceEvents.filter((e) => `${e.pid} ${e.tid}` === thread && e.ph === 'X');
  // A frame ends with its last callback; the next one's work begins there.
  const ends = [...new Set(mine.filter((e) => e.name === 'FireAnimationFrame').map((e) => e.ts + e.dur))].sort((a, b) => a - b);
  const frames = ends.filter((end, i) => i + 1 === ends.length || ends[i + 1] - end > 4000).map((end) => ({ end, script: 0 }));
  let [until, at] = [0, 0];
  for (const { ts, dur } of mine.filter((e) => SCRIPTS.has(e.name)).sort((a, b) => a.ts - b.ts || b.dur - a.dur)) {
    const [from, to] = [Math.max(ts, until), ts + dur];
    if (to <= from) continue;
    until = to;
    while (at < frames.length && frames[at].end < from) at++;
    if (at < frames.length) frames[at].script += (to - from) / 1000;
  }
  const gaps = stamps.slice(1).map((t, i) => t - stamps[i]);
  const script = frames.map((f) => f.script);
  return { p95: share(script, 0.95), most: Math.max(0, ...script), inTime: gaps.filter((g) => g <= FRAME_MS + 1).length / Math.max(1, gaps.length), n: frames.length };
}

/** Scrolls by wheel, zooms by Ctrl and wheel in and out at a place, and drags, an event for each frame. */
async function scrollZoomAndPan(page, x, y) {
  await page.mouse.move(x, y);
  const step = async (act) => {
    await act();
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  };
  for (let i = 0; i < 30; i++) await step(() => page.mouse.wheel(0, i < 15 ? 60 : -60));
  await page.keyboard.down('Control');
  for (let i = 0; i < 45; i++) await step(() => page.mouse.wheel(0, -60));
  await page.keyboard.up('Control');
  await page.mouse.down();
  for (let i = 0; i < 40; i++) await step(() => page.mouse.move(x - 8 * i, y + (i % 9)));
  await page.mouse.up();
  await page.keyboard.down('Control');
  for (let i = 0; i < 45; i++) await step(() => page.mouse.wheel(0, 60));
  await page.keyboard.up('Control');
}

const FLAME = (path) => path.startsWith('/api/v1/flame');

/** One run over heapview's page. */
async function runHeapview(url, rowsUrl, into) {
  const note = (name, value) => into.set(name, [...(into.get(name) ?? []), value]);
  await withPage(url, async (tab) => {
    const { page, answers } = tab;
    await page.goto(`${url}/flamegraph?g=addresses`);
    await idle(page);
    const opened = await page.evaluate(() => {
      const answer = performance.getEntriesByType('resource').find((r) => r.name.includes('/api/v1/flame'));
      return { first: seen.first, byte: answer?.responseStart ?? 0, end: answer?.responseEnd ?? 0 };
    });
    note('first', opened.first - opened.byte);
    note('opened', opened.first);
    const engine = () => page.evaluate(() => performance.getEntriesByType('resource').filter((r) => /\/assets\/(?!app\.)/.test(r.name)).length);
    note('early', await engine());
    const place = await page.locator('[data-flame]').boundingBox();
    const [x, y] = [place.x + place.width / 3, place.y + 200];
    const moving = await traced(tab, () => scrollZoomAndPan(page, x, y));
    note('script', moving.p95);
    note('most', moving.most);
    note('inTime', -moving.inTime);
    await idle(page);
    // A double click on a box: until the zoomed graph is on the screen.
    await page.evaluate(() => {
      seen.drawn = [];
      document.addEventListener('pointerup', (e) => (seen.up = e.timeStamp), true);
    });
    await page.mouse.dblclick(x, place.y + 118);
    await idle(page);
    note('click', await page.evaluate(() => (seen.drawn.find((t) => t > seen.up + 1) ?? Infinity) - seen.up));
    note('clickAll', await page.evaluate(() => seen.drawn.at(-1) - seen.up));
    await page.locator('.search-input').focus();
    const times = [];
    for (const letter of 'part_17') {
      await page.evaluate(() => Object.assign(seen, { drawn: [], said: 0 }));
      await page.keyboard.press(letter);
      await pause(60);
      await idle(page);
      times.push(await page.evaluate(() => Math.max(seen.drawn[0] ?? 0, 0) - seen.keys.at(-1)));
    }
    note('search', Math.max(...times.filter((t) => t > 0)));
    const flames = answers.filter((a) => FLAME(a.path));
    note('sent', Math.max(...flames.map((a) => a.sent)));
    note('size', Math.max(...flames.map((a) => a.size)));
    await page.locator('[data-view="graph"]').click();
    await idle(page);
    await page.waitForFunction(() => document.querySelector('.node') !== null, undefined, { timeout: 60_000 });
    note('late', await engine());
  });
  await withPage(rowsUrl, async (tab) => {
    const { page, answers } = tab;
    await page.goto(`${rowsUrl}/top?g=addresses&nf=0&n=0`);
    await idle(page);
    const table = page.locator('.table-scroll').first();
    const place = await table.boundingBox();
    await page.mouse.move(place.x + 200, place.y + 200);
    const scrolling = await traced(tab, async () => {
      for (let i = 0; i < 90; i++) {
        await page.mouse.wheel(0, i % 3 === 0 ? 4000 : 240);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
      }
    });
    note('rows', -(await page.evaluate(() => Number(document.querySelector('[role=grid][aria-rowcount]')?.getAttribute('aria-rowcount') ?? 0))));
    note('table', scrolling.p95);
    note('tableSize', Math.max(...answers.filter((a) => a.path.startsWith('/api/v1/top')).map((a) => a.size)));
    note('tableSent', Math.max(...answers.filter((a) => a.path.startsWith('/api/v1/top')).map((a) => a.sent)));
  });
}

/** One run over pprof's page. */
async function runPprof(url, into) {
  const note = (name, value) => into.set(name, [...(into.get(name) ?? []), value]);
  await withPage(url, async (tab) => {
    const { page, answers } = tab;
    await page.goto(`${url}/ui/flamegraph?g=addresses`, { timeout: 180_000, waitUntil: 'commit' });
    await page.waitForFunction(() => seen.first > 0, undefined, { timeout: 180_000 });
    const opened = await page.evaluate(() => ({ first: seen.first, byte: performance.getEntriesByType('navigation')[0].responseStart }));
    note('first', opened.first - opened.byte);
    note('opened', opened.first);
    await page.waitForLoadState('load', { timeout: 180_000 });
    await page.evaluate(() => document.addEventListener('click', (e) => (seen.up = e.timeStamp), true));
    const box = page.locator('.boxbg').nth(5);
    await page.evaluate(() => (seen.drawn = []));
    await box.click({ timeout: 60_000, position: { x: 3, y: 3 } });
    await page.waitForFunction(() => seen.drawn.length > 0, undefined, { timeout: 60_000 });
    note('click', await page.evaluate(() => seen.drawn[0] - seen.up));
    await page.evaluate(() => {
      const alter = new MutationObserver(() => (seen.marked ??= performance.now()));
      alter.observe(document.getElementById('stack-chart') ?? document.body, { subtree: true, attributes: true, childList: true });
      seen.input = (e) => (seen.typed = e.timeStamp);
      document.getElementById('search').addEventListener('input', seen.input);
    });
    await page.locator('#search').focus();
    await page.keyboard.press('p');
    await page.waitForFunction(() => seen.marked !== undefined, undefined, { timeout: 20_000 }).catch(() => undefined);
    note('search', await page.evaluate(() => (seen.marked ?? Infinity) - seen.typed));
    const largest = answers.reduce((a, b) => (b.size > a.size ? b : a), { size: 0, sent: 0 });
    note('sent', largest.sent);
    note('size', largest.size);
  });
}

const kB = (n) => `${Math.round(n / 1000)} kB`;
const ms = (n) => (Number.isFinite(n) ? `${n.toFixed(n < 10 ? 1 : 0)} ms` : '–');

async function bundle(url) {
  let total = 0;
  for (const file of ['app.js', 'app.css']) total += gzipSync(Buffer.from(await (await fetch(`${url}/assets/${file}`)).arrayBuffer()), { level: 9 }).length;
  return total;
}

async function main() {
  const quiet = ['-http=localhost:PORT', '-no_browser', '-symbolize=none'];
  const servers = [];
  const start = async (...command) => {
    const server = await serve(...command);
    servers.push(server);
    return server.url;
  };
  try {
    const own = await start([heapview, '-no_token', ...quiet, `${BENCH_DIR}/page.pb.gz`], '/api/v1/meta');
    const rows = await start([heapview, '-no_token', ...quiet, `${BENCH_DIR}/rows.pb.gz`], '/api/v1/meta');
    const other = PPROF === '' ? undefined : await start([...PPROF.split(' '), ...quiet, `${BENCH_DIR}/page.pb.gz`], '/ui/top');
    const [ours, theirs] = [new Map(), new Map()];
    for (let run = 0; run < RUNS; run++) {
      await runHeapview(own, rows, ours);
      if (other !== undefined) await runPprof(other, theirs);
    }
    const best = (from, name) => Math.min(...(from.get(name) ?? [Infinity]));
    const size = await bundle(own);
    let missed = 0;
    const line = (what, aim, got, print, ok, rival) => {
      if (!ok) missed++;
      const beside = rival === undefined || !Number.isFinite(rival) ? '' : `${print(rival)} (${(rival / got).toFixed(1)} ×)`;
      console.log(`${what.padEnd(58)} ${aim.padEnd(12)} ${print(got).padStart(10)} ${ok ? '   ' : ' ! '} ${beside}`);
    };
    const timed = (what, aim, name, rival = true) => {
      const got = best(ours, name);
      line(what, aim === 0 ? '' : `${aim} ms`, got, ms, aim === 0 || got <= aim, rival ? best(theirs, name) : undefined);
    };
    console.log(`${''.padEnd(58)} ${'aim'.padEnd(12)} ${'heapview'.padStart(10)}     ${other === undefined ? '' : 'pprof'}`);
    timed('first flame graph, after the first byte of the response', 300, 'first');
    timed('first flame graph, after the address was entered', 0, 'opened');
    line('largest flame response, as sent', '500 kB', best(ours, 'sent'), kB, best(ours, 'sent') <= 500_000, best(theirs, 'sent'));
    line('largest flame response, uncompressed', '500 kB', best(ours, 'size'), kB, best(ours, 'size') <= 500_000, best(theirs, 'size'));
    timed('wheel and drag: script per frame, 95 % of frames', 8, 'script', false);
    timed('wheel and drag: script of the slowest frame', 0, 'most', false);
    line('wheel and drag: frames within 16.7 ms (software rendering)', '', -best(ours, 'inTime'), (n) => `${Math.round(n * 100)} %`, true);
    timed('double click on a box until it is drawn larger', 0, 'click');
    timed('search: key to highlight, slowest of seven', 100, 'search');
    timed(`table of ${-best(ours, 'rows')} rows, scrolled: script, 95 % of frames`, 8, 'table', false);
    line('  its response, as sent', '', best(ours, 'tableSent'), kB, true);
    line('bundle without the layout engine, gzip', '400 kB', size, kB, size <= 400_000);
    const lazy = best(ours, 'early') === 0 && best(ours, 'late') > 0;
    line('layout engine: files before and with the graph', '0, then > 0', best(ours, 'late'), (n) => `${best(ours, 'early')}, then ${n}`, lazy);
    console.log(missed === 0 ? 'all aims met' : `${missed} missed (!)`);
    return missed === 0 ? 0 : 1;
  } finally {
    for (const server of servers) server.stop();
  }
}

process.exitCode = await main();

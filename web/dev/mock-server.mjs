/**
 * Serves the built page with a made-up heap, under the program's own security headers.
 * `node dev/mock-server.mjs [port] [stacks]`. With MOCK_SYMBOLS=slow names are looked up for
 * seven seconds after the start. With HEAPVIEW_API=http://127.0.0.1:PORT the API is that of a
 * running heapview: the page can be worked on without building the program.
 */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { makeHeap } from './mock-data.mjs';
import { flame, graph, peek, Refusal, top } from './mock-reports.mjs';

export const CSP =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };
const REPORTS = { top, peek, flame, graph };
const here = new URL('..', import.meta.url);

export function startMock({ port = 0, stacks = 9000, slow = false, upstream = process.env.HEAPVIEW_API } = {}) {
  const heap = makeHeap(stacks);
  const started = Date.now();
  const meta = () => {
    const done = slow ? Math.min(3400, Math.floor((Date.now() - started) / 2)) : 3400;
    return {
      version: '0.1.0',
      file: 'forest',
      default_value_type: 'inuse_space',
      n_stacks: heap.samples.length,
      n_samples: heap.samples.length,
      dumps: [0, 1, 2].map((i) => ({
        name: `jeprof.13992.${i}.f.heap`,
        time_nanos: (1763721180 + i * 3600) * 1e9,
        duration_nanos: 0,
        is_base: false,
      })),
      value_types: [
        { kind: 'inuse_space', unit: 'bytes' },
        { kind: 'inuse_objects', unit: 'count' },
      ],
      mappings: [{ file: '/usr/bin/forest', build_id: 'b6f1', start: 4194304, limit: 99999999 }],
      symbols: {
        state: done < 3400 ? 'working' : 'done',
        done,
        total: 3400,
        fetching: '',
        generation: Math.floor(done / 850),
        verdict: '',
        modules: [],
      },
      named_permille: 987,
      warnings: [
        'The binary at target/profiling/forest has build id ab12…, the profile was taken with cd34…: names may be wrong. Point to the right one with --binary.',
        'Dump 3 was cut by its writer: 0.02 MiB have no stack.',
      ],
    };
  };
  const shell = async () =>
    (await readFile(new URL('templates/index.html', here), 'utf8'))
      .replace('{{ title }}', 'forest inuse_space')
      .replace(
        '{{ boot|safe }}',
        JSON.stringify(upstream === undefined ? meta() : await (await fetch(`${upstream}/api/v1/meta`)).json()).replaceAll('<', '\\u003c'),
      );

  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const send = (status, type, body) => {
      response.writeHead(status, {
        'content-type': type,
        'content-security-policy': CSP,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      response.end(body);
    };
    const json = (status, value) => {
      send(status, 'application/json', JSON.stringify(value));
    };
    const api = /^\/api\/v1\/(\w+)$/.exec(url.pathname)?.[1];
    if (upstream !== undefined && url.pathname.startsWith('/api/')) {
      fetch(upstream + request.url).then(
        async (r) => {
          send(r.status, r.headers.get('content-type'), await r.text());
        },
        () => {
          response.destroy();
        },
      );
    } else if (api === 'meta') json(200, meta());
    else if (api !== undefined && api in REPORTS) {
      try {
        json(200, REPORTS[api](heap, url.searchParams));
      } catch (error) {
        if (error instanceof Refusal) json(400, { error: error.message, field: error.field, hint: error.hint });
        else json(500, { error: String(error) });
      }
    } else if (url.pathname.startsWith('/assets/')) {
      readFile(new URL(`static${url.pathname}`, here)).then(
        (body) => {
          send(200, TYPES[extname(url.pathname)] ?? 'application/octet-stream', body);
        },
        () => {
          json(404, { error: 'no such file' });
        },
      );
    } else
      shell().then(
        (page) => {
          send(200, 'text/html; charset=utf-8', page);
        },
        (error) => {
          json(500, { error: String(error) });
        },
      );
  });
  return new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => {
      resolve({ server, url: `http://127.0.0.1:${server.address().port}` });
    });
  });
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { url } = await startMock({
    port: Number(process.argv[2] ?? 8087),
    stacks: Number(process.argv[3] ?? 9000),
    slow: process.env.MOCK_SYMBOLS === 'slow',
  });
  console.log(url);
}

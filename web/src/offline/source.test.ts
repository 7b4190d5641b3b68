import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { SourceEntry, SourceReport } from '../api/types';
import { readData } from './data';
import { createEngine } from './engine';

const GOLDEN = new URL('../../../testdata/offline/courses.json.gz', import.meta.url);

function golden(): { readonly data: string; readonly answers: readonly { readonly path: string; readonly body: unknown }[] } {
  return JSON.parse(gunzipSync(readFileSync(GOLDEN)).toString());
}

const { data, answers } = golden();
const page = readData(Buffer.from(data, 'latin1'));

function entry(name: string, cum: readonly number[]): SourceEntry {
  const number = cum.map((_, i) => 10 + i);
  const lines = { number, text: number.map((n) => `line ${n}`), flat: cum.map(() => 0), cum, flat_base: [], cum_base: [] };
  const numbers = { flat: 0, cum: 9, flat_base: 0, cum_base: 0, first_line: 10, last_line: 9 + cum.length };
  return { name, full_name: name, file: 'src/a.rs', object: 'a', path: '', problem: '', call: [], step: [], code: [], lines, ...numbers };
}

/** The engine of a report whose source lines are of the plain view. */
function engine() {
  const body = answers.find(({ path }) => path === '/api/v1/top')?.body;
  const header: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'header') : undefined;
  const report: SourceReport = JSON.parse(
    JSON.stringify({ header, entry: [entry('a::hot', [0, 1, 9, 1, 0, 0]), entry('a::cold', [1])], missing: [] }),
  );
  return createEngine({ ...page, sources: report });
}

function ask(path: string): {
  readonly status: number;
  readonly names: readonly string[];
  readonly lines: readonly number[];
  readonly warnings: unknown;
} {
  const { status, body } = engine().answer(path);
  const found: SourceReport | undefined = status === 200 ? JSON.parse(JSON.stringify(body)) : undefined;
  const [first] = found?.entry ?? [];
  return { status, names: found?.entry.map((e) => e.name) ?? [], lines: first?.lines.number ?? [], warnings: found?.header.warnings };
}

describe('source lines of a report file', () => {
  it('are those of the functions that match', () => {
    expect(ask('/api/v1/source?list=^a::hot$&line_calls=t')).toEqual({
      status: 200,
      names: ['a::hot'],
      lines: [10, 11, 12, 13, 14, 15],
      warnings: [],
    });
    expect(ask('/api/v1/source?list=a::').names).toEqual(['a::hot', 'a::cold']);
    expect(ask('/api/v1/source?list=a.rs&list_files=t').names).toHaveLength(2);
    expect(ask('/api/v1/source?list=nowhere').status).toBe(501);
    expect(ask('/api/v1/source?list=((').status).toBe(400);
  });

  it('are few around the heaviest one where that is asked for', () => {
    expect(ask('/api/v1/source?list=hot&list_around=1').lines).toEqual([11, 12, 13]);
    expect(ask('/api/v1/source?list=hot&list_around=9').lines).toHaveLength(6);
  });

  it('say whose numbers they have under other filters', () => {
    expect(ask('/api/v1/source?list=hot&unit=kB&n=3').warnings).toEqual([]);
    expect(ask('/api/v1/source?list=hot&f=main').warnings).toEqual([
      'Values beside source lines are those of the view for which this report was made',
    ]);
  });

  it('are none where the file was made without', () => {
    const { status, body } = createEngine(page).answer('/api/v1/source?list=x');
    expect([status, Reflect.get(Object(body), 'error')]).toEqual([501, 'this report has no source lines']);
  });
});

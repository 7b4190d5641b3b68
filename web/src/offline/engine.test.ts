import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readData } from './data';
import { createEngine, type Reply } from './engine';

/** The server's answers to the same questions, as `tests/it/offline.rs` wrote them. */
interface Golden {
  /** A character for each byte. */
  readonly data: string;
  readonly answers: readonly (Reply & { readonly path: string })[];
}

const FOLDER = new URL('../../../testdata/offline/', import.meta.url);

function isGolden(value: unknown): value is Golden {
  return typeof value === 'object' && value !== null && 'data' in value && 'answers' in value;
}

function read(file: string): Golden {
  const golden: unknown = JSON.parse(gunzipSync(readFileSync(new URL(file, FOLDER))).toString());
  if (!isGolden(golden)) throw new Error(`${file} has no data`);
  return golden;
}

/** Why an expression does not compile, each engine says in its own words. */
function plain(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (key === 'error' ? String(value).replace(/does not compile.*/, '') : value)),
  );
}

describe.each(readdirSync(FOLDER))('%s', (file) => {
  const { data, answers } = read(file);
  const engine = createEngine(readData(Buffer.from(data, 'latin1')));
  it.each(answers.map((answer) => [answer.path, answer] as const))('%s', (path, answer) => {
    const { status, body } = engine.answer(path);
    // The sentence in a file is about everything: under filters there is none.
    const isFiltered = path.startsWith('/api/v1/explain?') && answer.status === 200;
    const expected = isFiltered ? { ...Object(answer.body), headline: '' } : answer.body;
    expect({ status, body: plain(body) }).toEqual({ status: answer.status, body: plain(expected) });
  });
});

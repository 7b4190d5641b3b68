import { describe, expect, it } from 'vitest';

import { readData } from './data';

/** The same numbers in every run (mulberry32). */
function randomly(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What `src/report_data/columns.rs` writes: the lowest bytes first, signs folded in. */
function column(values: readonly number[], bytes: number[]): { numbers: number[] } {
  const folded = values.map((value) => (value < 0 ? -2n * BigInt(value) - 1n : 2n * BigInt(value)));
  const most = folded.reduce((all, n) => all | n, 0n);
  const nBytes = Math.max(1, Math.ceil(most.toString(2).length / 8));
  const first = bytes.length;
  for (let rank = 0; rank < nBytes; rank++) for (const n of folded) bytes.push(Number((n >> BigInt(8 * rank)) & 255n));
  return { numbers: [first, values.length, nBytes] };
}

/** The data of a report file with these columns. */
function file(columns: unknown[], bytes: readonly number[]): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify({ meta: {}, fields: [], profile: { columns }, query: '', headline: '' }));
  const all = new Uint8Array(4 + json.length + bytes.length);
  new DataView(all.buffer).setUint32(0, json.length, true);
  all.set(json, 4);
  all.set(bytes, 4 + json.length);
  return all;
}

const columnsOf = (data: Uint8Array): unknown => Reflect.get(readData(data).profile, 'columns');

describe('the data of a report file', () => {
  it('gives back any numbers', () => {
    const random = randomly(1);
    for (let run = 0; run < 200; run++) {
      const bytes: number[] = [];
      const columns = Array.from({ length: Math.floor(random() * 5) }, () =>
        Array.from({ length: Math.floor(random() * 20) }, () => Math.round((random() - 0.5) * 2 ** (random() * 52))),
      );
      const described = columns.map((values) => column(values, bytes));
      expect(columnsOf(file(described, bytes))).toEqual(columns.map((values) => values.map((value) => value + 0)));
    }
  });

  it('is refused when a column is not inside it', () => {
    const wrong = [
      [-1, 1, 1],
      [0, 5, 1],
      [0, 1, 9],
      [0, 1, 0],
      [0, 1e300, 1],
      [0.5, 1, 1],
      [0, 1.5, 1],
      ['a', 1, 1],
      [2 ** 53, 2 ** 53, 8],
    ];
    for (const numbers of wrong) expect(() => readData(file([{ numbers }], [1, 2, 3, 4])), JSON.stringify(numbers)).toThrow();
  });

  it('is refused when columns share bytes: a small file cannot become a large one', () => {
    const many = Array.from({ length: 100_000 }, () => ({ numbers: [0, 1000, 1] }));
    expect(() => readData(file(many, new Array<number>(1000).fill(1)))).toThrow(/damaged/);
  });

  it('is read or refused, whatever bytes are changed or missing', () => {
    const random = randomly(2);
    const bytes: number[] = [];
    const whole = file([column([1, -2, 300000, 0], bytes), column([7], bytes)], bytes);
    let nRead = 0;
    for (let run = 0; run < 3000; run++) {
      const changed = whole.slice(0, random() < 0.2 ? Math.floor(random() * whole.length) : whole.length);
      for (let n = Math.floor(random() * 3); n >= 0 && changed.length > 0; n--)
        changed[Math.floor(random() * changed.length)] = Math.floor(random() * 256);
      try {
        const { profile } = readData(changed);
        nRead += profile === undefined ? 0 : 1;
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
    expect(nRead).toBeGreaterThan(100);
  });
});

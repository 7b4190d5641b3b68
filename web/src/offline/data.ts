import type { FieldDoc, Meta, SourceReport } from '../api/types';
import type { PageProfile } from './profile';

/**
 * The bytes of a report file's data (`file_data` of `src/web/report_file.rs`): the length of the JSON in four bytes,
 * the JSON, and the columns of numbers that it names.
 */

/** What `heapview export` writes into the file. */
export interface PageData {
  readonly meta: Meta;
  readonly fields: readonly FieldDoc[];
  readonly profile: PageProfile;
  /** Path and query of the first view's address. */
  readonly path?: string;
  readonly query: string;
  /** Source lines of the heaviest functions, with the numbers of the first view. */
  readonly sources?: SourceReport;
  /** The answer in a sentence, without filters; empty where names are redacted. */
  readonly headline: string;
  /** The same with the filters and dumps of `query`; absent where `query` is empty. */
  readonly first_headline?: string;
}

/** Enough to tell data of this program from anything else. */
function isPageData(data: unknown): data is PageData {
  return typeof data === 'object' && data !== null && ['meta', 'fields', 'profile', 'query', 'headline'].every((key) => key in data);
}

/** A number's bytes at most. */
const MOST = 8;

export function readData(bytes: Uint8Array): PageData {
  const wrong = (): Error => new Error('the data in this file is of another version of heapview, or damaged');
  if (bytes.length < 4) throw wrong();
  const start = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const numbers = bytes.subarray(start);
  // Each byte belongs to one column.
  let left = numbers.length;
  const data: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(4, start)), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('numbers' in value) || !Array.isArray(value.numbers)) return value;
    const [first, length, nBytes] = value.numbers.map(Number);
    if (first === undefined || length === undefined || nBytes === undefined) return value;
    const isWhole = [first, length, nBytes].every(Number.isSafeInteger);
    if (!(isWhole && first >= 0 && length >= 0 && nBytes >= 1 && nBytes <= MOST && first + length * nBytes <= numbers.length))
      throw wrong();
    left -= length * nBytes;
    if (left < 0) throw wrong();
    return column(numbers, first, length, nBytes);
  });
  if (!isPageData(data)) throw wrong();
  return data;
}

/** Numbers whose lowest bytes come first, then the next ones; 0, 1, 2, 3 … stand for 0, −1, 1, −2 … */
function column(bytes: Uint8Array, first: number, length: number, nBytes: number): number[] {
  const byte = (i: number, rank: number): number => bytes[first + rank * length + i] ?? 0;
  return Array.from({ length }, (_, i) => {
    let half = byte(i, 0) >> 1;
    for (let [rank, unit] = [1, 128]; rank < nBytes; rank++, unit *= 256) half += byte(i, rank) * unit;
    return (byte(i, 0) & 1) === 1 ? -1 - half : half;
  });
}

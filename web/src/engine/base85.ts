/** Text in a report file as bytes (`src/report_data/base85.rs`): five digits are four bytes. */

const DIGITS = '!#$%()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|';

const VALUES = new Uint8Array(128);
for (let value = 0; value < DIGITS.length; value++) VALUES[DIGITS.charCodeAt(value)] = value;

/** The bytes of a text that was written with the page; damage shows when they are decompressed. */
export function fromBase85(text: string): Uint8Array<ArrayBuffer> {
  const nGroups = Math.ceil(text.length / 5);
  const bytes = new Uint8Array(nGroups * 4);
  const words = new DataView(bytes.buffer);
  for (let group = 0; group < nGroups; group++) {
    let word = 0;
    for (let i = 5 * group; i < 5 * group + 5; i++) {
      // The largest digits round up to the bytes that were cut off.
      word = word * 85 + (i < text.length ? (VALUES[text.charCodeAt(i) & 127] ?? 0) : 84);
    }
    words.setUint32(4 * group, word);
  }
  return bytes.subarray(0, bytes.length - (5 * nGroups - text.length));
}

/** Bytes as text inside HTML; the other way of `fromBase85`. */
export function toBase85(bytes: Uint8Array): string {
  const parts: string[] = [];
  const digits = new Array<number>(5);
  for (let at = 0; at < bytes.length; at += 4) {
    const n = Math.min(4, bytes.length - at);
    let word = 0;
    for (let i = 0; i < 4; i++) word = word * 256 + (bytes[at + i] ?? 0);
    for (let i = 4; i >= 0; i--) {
      digits[i] = DIGITS.charCodeAt(word % 85);
      word = Math.floor(word / 85);
    }
    parts.push(String.fromCharCode(...digits.slice(0, n + 1)));
  }
  return parts.join('');
}

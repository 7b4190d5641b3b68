/** 64-bit FNV-1a in two halves; the server computes the same ids of boxes. */
export interface Hash {
  readonly high: number;
  readonly low: number;
}

export const START: Hash = { high: 0xcbf29ce4, low: 0x84222325 };

/** One step; the prime is 2⁴⁰ + 0x1b3. */
export function mix(hash: Hash, high: number, low: number): Hash {
  const [h, l] = [(hash.high ^ high) >>> 0, (hash.low ^ low) >>> 0];
  const product = l * 0x1b3;
  return { high: (Math.imul(h, 0x1b3) + Math.floor(product / 2 ** 32) + (l << 8)) >>> 0, low: product >>> 0 };
}

const encoder = new TextEncoder();

export function hashText(text: string): Hash {
  return encoder.encode(text).reduce((hash, byte) => mix(hash, 0, byte), START);
}

export function hexOf({ high, low }: Hash): string {
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

/** Parses output of `hexOf`; undefined if it is not a 64-bit number. */
export function readHex(text: string): Hash | undefined {
  const digits = /^\+?0*([0-9a-fA-F]{0,16})$/.exec(text)?.[1];
  if (digits === undefined || text === '' || text === '+') return undefined;
  const padded = digits.padStart(16, '0');
  return { high: parseInt(padded.slice(0, 8), 16), low: parseInt(padded.slice(8), 16) };
}

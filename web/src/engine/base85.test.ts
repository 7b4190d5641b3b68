import { describe, expect, it } from 'vitest';
import { fromBase85, toBase85 } from './base85';

describe('base 85', () => {
  it('is read as the core writes it', () => {
    expect([...fromBase85('!!-0')]).toEqual([0, 1, 2]);
    expect([...fromBase85('!!!!!yy')]).toEqual([0, 0, 0, 0, 255]);
    expect([...fromBase85('')]).toEqual([]);
  });

  it('is written as the core reads it', () => {
    expect(toBase85(new Uint8Array([0, 1, 2]))).toBe('!!-0');
    expect(toBase85(new Uint8Array([0, 0, 0, 0, 255]))).toBe('!!!!!yy');
    for (let n = 0; n < 9; n++) {
      const bytes = Uint8Array.from({ length: n }, (_, i) => (i * 89 + 7) % 256);
      expect(fromBase85(toBase85(bytes))).toEqual(bytes);
    }
  });
});

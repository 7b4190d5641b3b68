import { describe, expect, it } from 'vitest';
import { fromBase85 } from './base85';

describe('base 85', () => {
  it('is read as the core writes it', () => {
    expect([...fromBase85('!!-0')]).toEqual([0, 1, 2]);
    expect([...fromBase85('!!!!!yy')]).toEqual([0, 0, 0, 0, 255]);
    expect([...fromBase85('')]).toEqual([]);
  });
});

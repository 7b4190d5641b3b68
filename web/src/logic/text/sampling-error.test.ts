import { describe, expect, it } from 'vitest';
import { grossText, isNoise, sureText } from './sampling-error';

const sure = { samples: 3, samples_base: 9, error: 1024, change_error: 10 };

describe('sampled numbers', () => {
  it('differ by chance up to twice their error', () => {
    expect(isNoise(19, 0, sure)).toBe(true);
    expect(isNoise(0, 20, sure)).toBe(false);
    expect(isNoise(5, 5, sure)).toBe(false);
    expect(isNoise(5, 4, null)).toBe(false);
  });
  it('say what they stand on', () => {
    expect(sureText(sure, 'bytes', 'auto')).toBe('± 1.00 KiB, from 3 samples only');
    expect(sureText(sure, 'bytes', 'auto', true)).toBe('± 10 B, from 12 samples');
    expect(sureText(undefined, 'bytes', 'auto')).toBe('');
  });
});

describe('growth and shrinkage', () => {
  it('are told where one hides the other', () => {
    expect(grossText(2048, -1024, 'bytes', 'auto')).toBe('grew 2.00 KiB, shrank 1.00 KiB');
    expect(grossText(2048, 0, 'bytes', 'auto')).toBe('');
  });
});

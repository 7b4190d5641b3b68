import { describe, expect, it } from 'vitest';
import { grossText, isNoise, samplingErrorText } from './sampling-error';

const samplingError = { samples: 3, samples_base: 9, error: 1024, change_error: 10 };

describe('sampled numbers', () => {
  it('differ by chance up to twice their error', () => {
    expect(isNoise(19, 0, samplingError)).toBe(true);
    expect(isNoise(0, 20, samplingError)).toBe(false);
    expect(isNoise(5, 5, samplingError)).toBe(false);
    expect(isNoise(5, 4, null)).toBe(false);
  });
  it('show error and number of samples', () => {
    expect(samplingErrorText(samplingError, 'bytes', 'auto')).toBe('± 1.00 KiB, from 3 samples only');
    expect(samplingErrorText(samplingError, 'bytes', 'auto', true)).toBe('± 10 B, from 12 samples');
    expect(samplingErrorText(undefined, 'bytes', 'auto')).toBe('');
  });
});

describe('growth and shrinkage', () => {
  it('are shown where one hides the other', () => {
    expect(grossText(2048, -1024, 'bytes', 'auto')).toBe('grew 2.00 KiB, shrank 1.00 KiB');
    expect(grossText(2048, 0, 'bytes', 'auto')).toBe('');
  });
});

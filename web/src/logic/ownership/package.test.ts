import { describe, expect, it } from 'vitest';
import { NO_ROW } from '../names/names';
import { ownerOf, packageLabel } from './package';

describe('text of a package', () => {
  it('has the version and the kind in words', () => {
    const row = { ...NO_ROW, package: 'tokio', version: '1.54.1', kind: 'plumbing' as const };
    expect(packageLabel(row)).toBe('tokio 1.54.1');
    expect(ownerOf(row)).toBe('tokio 1.54.1, async glue');
    expect(ownerOf(NO_ROW)).toBe('');
  });
});

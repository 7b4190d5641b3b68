import { describe, expect, it } from 'vitest';
import { NO_ROW } from './names';
import { ownerOf, packageLabel, packagePattern } from './package';

describe('packagePattern', () => {
  it.each([
    ['serde_json', false, 'serde_json::de::from_str', true],
    ['serde_json', false, '/home/a/.cargo/registry/src/x/serde-json-1.0.1/src/de.rs', true],
    ['serde_json', false, 'my_serde_json_thing::f', false],
    ['shop', true, '<shop::book::Slab<T>>::insert', true],
    ['shop', true, '/home/shop/src/main.rs', false],
    ['libstdc++', false, '/usr/lib/libstdc++.so.6', true],
    ['encoding/json', false, 'encoding/json.Unmarshal', true],
  ])('%s (scoped: %s) and %s: %s', (name, scoped, text, matches) => {
    expect(new RegExp(packagePattern(name, scoped)).test(text)).toBe(matches);
  });
  it('is empty for what is not known', () => {
    expect(packagePattern('', false)).toBe('');
  });
});

describe('what is said of a package', () => {
  it('has the version and the kind in words', () => {
    const row = { ...NO_ROW, package: 'tokio', version: '1.54.1', kind: 'plumbing' as const };
    expect(packageLabel(row)).toBe('tokio 1.54.1');
    expect(ownerOf(row)).toBe('tokio 1.54.1, async runtime, plumbing');
    expect(ownerOf(NO_ROW)).toBe('');
  });
});

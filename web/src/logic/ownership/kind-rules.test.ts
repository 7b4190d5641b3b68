import { describe, expect, it } from 'vitest';
import { readKinds, readRules, rulesText } from './kind-rules';

describe('rules of whose code is what', () => {
  it('are read and written', () => {
    const text = 'serde*=own,function:my::Map<K, V>::*=allocator,file:*/vendor/zlib/*=third_party/zlib';
    const rules = readRules(text);
    if (typeof rules === 'string') throw new Error(rules);
    expect(rulesText(rules)).toBe(text);
    expect(rules.map((rule) => [rule.on, rule.package])).toEqual([
      ['package', ''],
      ['function', ''],
      ['file', 'zlib'],
    ]);
    for (const wrong of ['a', 'a=mine', '=own', 'function:=own']) expect(readRules(wrong)).toContain('PATTERN=KIND');
  });

  it('name kinds by short words', () => {
    expect(readKinds('async, alloc,std')).toEqual(['allocator', 'runtime', 'plumbing']);
    expect(readKinds('std,mine')).toBe('mine');
  });
});

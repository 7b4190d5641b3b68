import { describe, expect, it } from 'vitest';
import { compileRegex, translate } from './regex';

function matches(source: string, text: string): boolean {
  const compiled = compileRegex(source);
  if (!compiled.ok) throw new Error(`${source}: ${compiled.problem}`);
  return compiled.test(text);
}

describe('compileRegex', () => {
  it('takes braces and brackets as Go does', () => {
    expect(matches('main::{{closure}}', 'main::{{closure}}')).toBe(true);
    expect(matches('{closure#0}', 'f::{closure#0}')).toBe(true);
    expect(matches('^a{2}$', 'aa')).toBe(true);
    expect(matches('^a{2}$', 'a{2}')).toBe(false);
    expect(matches('|{2}', '{2}')).toBe(true);
    expect(matches('^[[]u8[]]$', '[u8]')).toBe(true);
    expect(matches('^[[:alpha:]&&]+$', 'a&b')).toBe(true);
    expect(matches('\\Q<[u8]>::to_vec\\E$', '<[u8]>::to_vec')).toBe(true);
    expect(matches('^[]a-]+$', 'a]-')).toBe(true);
  });

  it('matches the first 4096 bytes of a text', () => {
    const text = `${'ä'.repeat(2047)}end`;
    expect(matches('en$', text)).toBe(true);
    expect(matches('end', text)).toBe(false);
    expect(matches('^xä+$', `x${'ä'.repeat(5000)}`)).toBe(true);
  });

  it('knows the classes of the server', () => {
    expect(matches('^\\w+$', 'naïve_9')).toBe(true);
    expect(matches('\\bcaf\\b', 'café')).toBe(false);
    expect(matches('^\\d$', '٣')).toBe(true);
    expect(matches('^[\\s\\w]$', '\u2003')).toBe(true);
    expect(matches('^\\D$', '1')).toBe(false);
    expect(matches('^[^\\d]$', '1')).toBe(false);
    expect(matches('^\\p{Greek}\\pL$', 'αb')).toBe(true);
    expect(matches('^a.b$', 'a\rb')).toBe(true);
    expect(matches('^a.b$', 'a\nb')).toBe(false);
    expect(matches('\\Aa\\z', 'a')).toBe(true);
    expect(matches('a\\-b\\/c\\<', 'a-b/c<')).toBe(true);
    expect(matches('^\\x41\\x{1F600}$', 'A😀')).toBe(true);
  });

  it('holds flags to the end of their group', () => {
    expect(matches('(?i)ABC', 'abc')).toBe(true);
    // Older engines have no flags for a part of an expression.
    expect(translate('a(?i)b|C')).toBe('a(?i:b)|(?i:C)');
    expect(translate('(a(?i)b|C)d')).toBe('(a(?i:b)|(?i:C))d');
    expect(translate('(?i:a)B')).toBe('(?i:a)B');
    expect(matches('(?P<name>x)y', 'xy')).toBe(true);
  });

  it('says what is wrong', () => {
    for (const source of ['((', ')', '[a', 'a**b(?=c)', '(?x)a', '\\', '\\y', '*']) expect(compileRegex(source).ok, source).toBe(false);
  });
});

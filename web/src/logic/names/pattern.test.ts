import { describe, expect, it } from 'vitest';
import { compilePattern, either, exactly, filterPattern, nameOfExact, peekName, readable, withClosures } from './pattern';

describe('compilePattern', () => {
  it.each([
    ['foo(bar', 3, '('],
    ['foo)bar', 3, ')'],
    ['a[bc', 1, '['],
    ['*x', 0, '*'],
    ['a|+', 2, '+'],
    ['x\\', 1, 'backslash'],
    ['a(?=b)', 1, 'look-around'],
    ['(a(b)', 0, '('],
  ])('%s is wrong at %d', (source, at, word) => {
    const pattern = compilePattern(source);
    expect(pattern).toMatchObject({ kind: 'bad', at });
    expect(pattern.kind === 'bad' ? pattern.message : '').toContain(word);
  });
  it.each(['a.*b', '(?i)FOO', '[]a]', '[^]]x', '\\(x\\)', '(?:a|b)+?', '^a$', 'a{2,3}', '(?P<n>a)'.replace('P', '')])(
    '%s is right',
    (source) => {
      expect(compilePattern(source).kind).toBe('ok');
    },
  );
  it('knows nothing and ignores case on request', () => {
    expect(compilePattern('').kind).toBe('none');
    const pattern = compilePattern('(?i)vec');
    expect(pattern.kind === 'ok' && pattern.test('RawVec')).toBe(true);
  });
});

describe('patterns the page writes', () => {
  const hostile = ['a.b', '<T as U>::f', 'x{closure#0}', 'a|b', '$^', 'back\\slash', '(a)[b]*+?', '', 'مخزن'];
  it('match the name and nothing else', () => {
    for (const name of hostile) {
      const regex = new RegExp(exactly(name));
      expect(regex.test(name)).toBe(true);
      expect(regex.test(`${name}x`)).toBe(false);
      expect(nameOfExact(exactly(name))).toBe(name);
    }
    expect(nameOfExact('a.*')).toBeUndefined();
    expect(nameOfExact('^a.*$')).toBeUndefined();
  });
  it('know frames without a name by their mapped file', () => {
    expect(['[libc.so.6]+0x891f4', '[libc.so.6]', '[unknown]+0x1', 'main', '[T]::f'].map(peekName)).toEqual([
      '[libc.so.6]',
      '[libc.so.6]',
      '<unknown>',
      'main',
      '[T]::f',
    ]);
    expect(filterPattern('[libc.so.6]+0x891f4')).toBe('(^|/)libc\\.so\\.6$');
    expect(filterPattern('a.b')).toBe('^a\\.b$');
  });
  it('append once', () => {
    expect(either('', 'a')).toBe('a');
    expect(either('a', 'b')).toBe('a|b');
    expect(either('a|b', 'b')).toBe('a|b');
  });
  it('read as names', () => {
    expect(readable(`${exactly('a::b')}|${exactly('c.d')}`)).toBe('a::b or c.d');
    expect(readable(`${withClosures('a::b')}|${exactly('c.d')}`)).toBe('a::b or c.d');
    expect(filterPattern('a::b', true)).toBe(withClosures('a::b'));
    expect(readable('a.*b')).toBe('a.*b');
  });
});

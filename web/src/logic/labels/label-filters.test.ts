import { describe, expect, test } from 'vitest';
import { facetChips, isChosen, parseFacets, printFacets, rangeLabel, toggleFacet, type Facet, type Join } from './label-filters';

function facet(key: string, texts: readonly string[], ranges: readonly string[] = []): Facet {
  return { kind: 'facet', key, texts, ranges };
}

describe('filters on labels', () => {
  test('one key is written as pprof reads it', () => {
    expect(toggleFacet('', 'and', { key: 'thread', text: 'worker-3' })).toBe('thread=^worker-3$');
    expect(toggleFacet('thread=^worker-3$', 'and', { key: 'thread', text: 'main' })).toBe('thread=^worker-3$,^main$');
    expect(toggleFacet('', 'or', { key: 'bytes', range: '17b:24b' })).toBe('bytes=17b:24b');
  });

  test('several keys of texts, too', () => {
    expect(toggleFacet('thread=^a$,^b$', 'and', { key: 'pool', text: 'io' })).toBe('^thread:(a|b)$,^pool:io$');
    expect(toggleFacet('thread=^a$,^b$', 'or', { key: 'pool', text: 'io' })).toBe('^thread:(a|b)$|^pool:io$');
  });

  test('numbers beside other keys need more than pprof has', () => {
    expect(toggleFacet('thread=^a$', 'and', { key: 'bytes', range: '17b:24b' })).toBe('thread=^a$ && bytes=17b:24b');
    expect(toggleFacet('thread=^a$', 'or', { key: 'bytes', range: '17b:24b' })).toBe('thread=^a$ || bytes=17b:24b');
  });

  const awkward = ['a', 'a,b', 'a=b', 'a:b', '^x$', 'a|b', '(a)', 'x && y', 'x || y', 'C:\\dir', '17b:24b', '<script>', 'ünï "q"', '', ' '];
  test.each<Join>(['and', 'or'])('what is written is found again (%s)', (join) => {
    for (const name of awkward)
      for (const clauses of [
        [facet('thread', [name])],
        [facet('thread', [name, 'other'])],
        [facet('thread', [name, 'other']), facet('pool', ['io', name])],
        [facet('thread', [name]), facet('bytes', [], ['17b:24b', '64b'])],
      ])
        expect(parseFacets(printFacets(clauses, join), join)).toEqual(clauses);
    for (const key of ['a:b', 'a b', 'a,b', 'µ', 'a=b'])
      expect(parseFacets(printFacets([facet(key, ['x']), facet('t', ['y'])], join), join)).toEqual([facet(key, ['x']), facet('t', ['y'])]);
  });

  test('a second click takes the value off again', () => {
    const both = toggleFacet('thread=^a$', 'and', { key: 'bytes', range: '64b' });
    expect(isChosen(both, 'and', { key: 'bytes', range: '64b' })).toBe(true);
    expect(isChosen(both, 'and', { key: 'thread', text: 'b' })).toBe(false);
    expect(toggleFacet(both, 'and', { key: 'bytes', range: '64b' })).toBe('thread=^a$');
    expect(toggleFacet('thread=^a$', 'and', { key: 'thread', text: 'a' })).toBe('');
  });

  test('text that the user wrote stays, and applies together with what is added', () => {
    expect(toggleFacet('work.*', 'and', { key: 'pool', text: 'io' })).toBe('work.* && pool=^io$');
    expect(parseFacets('thread=work.*,^a$', 'and')).toEqual([{ kind: 'foreign', text: 'thread=work.*,^a$' }]);
    expect(toggleFacet('t=x || p=y', 'and', { key: 'k', text: 'v' })).toBe('t=x && k=^v$ || p=y && k=^v$');
    expect(toggleFacet('t=x && p=y', 'or', { key: 'k', text: 'v' })).toBe('t=x && p=y || k=^v$');
  });

  test('chips come off one by one', () => {
    expect(facetChips('^thread:(a|b)$,^pool:io$', 'and')).toEqual([
      { key: 'thread', label: 'a', without: '^thread:b$,^pool:io$' },
      { key: 'thread', label: 'b', without: '^thread:a$,^pool:io$' },
      { key: 'pool', label: 'io', without: 'thread=^a$,^b$' },
    ]);
    expect(facetChips('work.* && bytes=1kb:', 'and')).toEqual([
      { key: '', label: 'work.*', without: 'bytes=1kb:' },
      { key: 'bytes', label: '≥ 1 KiB', without: 'work.*' },
    ]);
  });

  test('ranges in words', () => {
    expect(['17b:24b', '64b:64b', '64b', ':1kb', '1025b:1280b', '5:9'].map(rangeLabel)).toEqual([
      '17–24 B',
      '64 B',
      '64 B',
      '≤ 1 KiB',
      '1,025–1,280 B',
      '5–9',
    ]);
  });
});

import { expect, test } from 'vitest';
import { freeName, readViews, viewsFile, withViews } from './saved-views';

const LEAK = { name: 'leak', query: '/top?f=cache' };

test('a file is read as it was written, and nothing else is such a file', () => {
  expect(readViews(viewsFile([LEAK]))).toEqual([LEAK]);
  for (const other of ['', '{', '[]', '{"views":[]}', 'heap profile: 1: 2', '{"format":"heapview views"}'])
    expect(readViews(other)).toBeUndefined();
});

test('addresses of other places are left out', () => {
  const views = ['https://evil.example/top', '//evil.example/top', 'javascript:alert(1)', '/nowhere', '/top'].map((query) => ({
    name: query,
    query,
  }));
  expect(readViews(viewsFile(views))).toEqual([{ name: '/top', query: '/top?hide_kind=none' }]);
  expect(readViews('{"format":"heapview views","views":[{"name":"","query":"/top"},{"name":3,"query":"/top"},null]}')).toEqual([]);
});

test('names stay unique and nothing is overwritten', () => {
  const other = { name: 'leak', query: '/flamegraph' };
  expect(withViews([LEAK], [LEAK])).toEqual([LEAK]);
  expect(withViews([LEAK], [other])).toEqual([LEAK, { name: 'leak (2)', query: '/flamegraph' }]);
  expect(freeName([LEAK, { name: 'leak (2)', query: '/' }], 'leak')).toBe('leak (3)');
});

import { describe, expect, it } from 'vitest';
import { apiPath, hrefOf, param, parseUrl, patchUrl, withDefaults, type ViewUrl } from './view-url';

function at(href: string): ViewUrl {
  const url = parseUrl(href);
  if (url === undefined) throw new Error(`no view at ${href}`);
  return url;
}

describe('parseUrl', () => {
  it.each([
    ['/', 'summary'],
    ['/ui/', 'summary'],
    ['/ui', 'summary'],
    ['/flamegraph', 'flame'],
    ['/ui/flamegraph2?f=x', 'flame'],
    ['/ui/flamegraphold', 'flame'],
    ['/ui/disasm?f=x', 'source'],
    ['/ui/flamegraph?f=x', 'flame'],
    ['/top', 'top'],
    ['/ui/top', 'top'],
    ['/graph', 'graph'],
    ['/ui/graph', 'graph'],
    ['/tree', 'tree'],
    ['/callers', 'callers'],
    ['/ui/source', 'source'],
    ['/ui/peek?f=x', 'callers'],
  ])('%s opens %s', (href, view) => {
    expect(at(href).view).toBe(view);
  });
  it('knows no other page', () => {
    expect(parseUrl('/nowhere')).toBeUndefined();
    expect(parseUrl('/toString')).toBeUndefined();
  });
  it('takes the function of pprof’s peek from the focus', () => {
    expect(param(at('/ui/peek?f=%5Ea%24'), 'peek')).toBe('^a$');
    expect(param(at('/callers?f=x'), 'peek')).toBe('');
  });
});

describe('withDefaults', () => {
  const started = [['base', '3']];
  it('fills a bare address only', () => {
    expect(withDefaults('/', started)?.params).toEqual(started);
    expect(withDefaults('/?si=a', started)?.params).toEqual([['si', 'a']]);
    expect(withDefaults('/flamegraph', started)?.params).toEqual([]);
    expect(withDefaults('/nowhere', started)).toBeUndefined();
  });
});

describe('patchUrl', () => {
  it('keeps what it does not know', () => {
    expect(hrefOf(patchUrl(at('/ui/top?f=a+b&tagshow=%25&f=second'), { i: 'x' }))).toBe('/top?f=a+b&tagshow=%25&f=second&i=x');
  });
  it('knows both names of a parameter', () => {
    expect(hrefOf(patchUrl(at('/top?focus=a'), { f: 'b' }))).toBe('/top?focus=b');
    expect(hrefOf(patchUrl(at('/top?focus=a&n=3'), { f: '' }))).toBe('/top?n=3&hide_kind=none');
    expect(param(at('/top?sample_index=alloc_space'), 'si')).toBe('alloc_space');
  });
  it('survives any text', () => {
    for (const text of ['^<a as b>::c\\{\\}$', 'مخزن', '&=?#%', ' ', '\u202E']) {
      expect(param(at(hrefOf(patchUrl(at('/top'), { f: text }))), 'f')).toBe(text);
    }
  });
});

describe('apiPath', () => {
  it('sends what the server knows', () => {
    const url = at('/flamegraph?q=search&sel=a&order=name&scale=base&zoom=12ab&inverted=t&sort=cum&f=x');
    expect(apiPath(url)).toBe('/api/v1/flame?zoom=12ab&inverted=t&f=x');
    expect(apiPath(url, 'top')).toBe('/api/v1/top?order=name&sort=cum&f=x');
    expect(apiPath(url, 'peek', { peek: '^a$' })).toBe('/api/v1/peek?sort=cum&f=x&peek=%5Ea%24');
  });
});

it('reads pprof’s source and disassembly pages lead to source lines', () => {
  expect(parseUrl('/ui/source?f=remember&si=0')).toEqual({
    view: 'source',
    params: [
      ['f', 'remember'],
      ['si', '0'],
      ['list', 'remember'],
      ['list_files', 't'],
    ],
  });
  expect(parseUrl('/ui/disasm?f=x')?.params).toEqual([
    ['f', 'x'],
    ['list', 'x'],
    ['list_files', 't'],
    ['line_code', 't'],
  ]);
  // Here, a focus is a focus.
  expect(parseUrl('/source?f=x')?.params).toEqual([['f', 'x']]);
});

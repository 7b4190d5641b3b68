import { describe, expect, it } from 'vitest';
import { foldedText, foldsClosures, LEVELS, levelOf, levelPatch, revealPatch, hasLevel, withoutLevel } from './show-level';
import { apiPath, hrefOf, isBare, parseUrl, patchUrl, type ViewUrl } from './view-url';

function at(href: string): ViewUrl {
  const url = parseUrl(href);
  if (url === undefined) throw new Error(`no view at ${href}`);
  return url;
}

describe('levels in the address', () => {
  it('are read back as they were written', () => {
    for (const level of LEVELS) {
      const url = patchUrl(at('/top?f=x&culprit=t&hide_kind=own'), levelPatch(level));
      expect(levelOf(at(hrefOf(url)))).toBe(level);
      expect(hasLevel(url)).toBe(true);
    }
  });
  it('differ from other folds', () => {
    expect(levelOf(at('/top?f=x'))).toBe('all');
    expect(levelOf(at('/top?hk=async,std,alloc'))).toBe('libraries');
    expect(levelOf(at('/top?hide_kind=allocator'))).toBeUndefined();
    expect(levelOf(at('/top?culprit=t'))).toBeUndefined();
    expect(levelOf(at('/top?hide_kind=mine'))).toBe('all');
  });
  it('do not change what charges culprits anyway', () => {
    const url = patchUrl(at('/'), levelPatch('mine'));
    expect(apiPath(url, 'summary', withoutLevel(url))).toBe('/api/v1/summary');
    expect(withoutLevel(at('/?hide_kind=own'))).toEqual({});
  });
  it('show a folded function on request', () => {
    const mine = patchUrl(at('/top'), levelPatch('mine'));
    expect(revealPatch(mine, 'own')).toEqual({});
    expect(revealPatch(mine, 'third_party')).toEqual(levelPatch('libraries'));
    expect(revealPatch(mine, 'allocator')).toEqual(levelPatch('all'));
    expect(revealPatch(at('/top'), 'allocator')).toEqual({});
  });
  it('know where closures have the names of their functions', () => {
    expect(['/top', '/top?culprit=t', '/top?hk=async', '/top?hk=alloc', '/'].map((href) => foldsClosures(at(href)))).toEqual([
      false,
      true,
      true,
      false,
      true,
    ]);
  });
});

describe('addresses that leave the level to the page', () => {
  const started = [['sample_index', 'alloc_space']];
  it.each([
    ['/', true],
    ['/flamegraph', true],
    ['/?si=alloc_space', true],
    ['/top?sample_index=alloc_space', true],
    ['/top?f=x', false],
    ['/?si=inuse_space', true],
    ['/flamegraph?zoom=1a2b&color=kind', true],
    ['/top?dump=2&base=0&sort=cum&unit=kB&n=20', true],
    ['/top?tf=thread%3Dmain&package=shop', true],
    ['/top?focus=x&dump=2', false],
    ['/callers?peek=x', false],
    ['/source?list=x', false],
    ['/top?hk=allocator', false],
    ['/top?culprit=t', false],
    ['/ui/flamegraph', false],
    ['/ui', false],
  ])('%s: %s', (href, is) => {
    expect(isBare(href, started)).toBe(is);
  });
  it('are never written', () => {
    for (const href of ['/ui/top', '/top?dump=2', '/top?f=x', '/flamegraph?zoom=1a2b'])
      expect(isBare(hrefOf(at(href)), []), href).toBe(false);
  });
});

describe('what is folded', () => {
  it('is counted, also by kind', () => {
    const folded = [
      { kind: 'allocator', n_functions: 3 },
      { kind: 'runtime', n_functions: 1200 },
    ] as const;
    expect(foldedText(folded)).toEqual({ count: '1,203', noun: 'runtime frames', detail: 'allocators: 3, runtime: 1,200' });
    expect(foldedText([{ kind: 'third_party', n_functions: 1 }])?.noun).toBe('runtime and library frame');
    expect(foldedText([{ kind: 'own', n_functions: 2 }])?.noun).toBe('frames');
    expect(foldedText([])).toBeUndefined();
  });
});

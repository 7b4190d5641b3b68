import { describe, expect, it } from 'vitest';
import type { DumpMeta } from '../api/types';
import { nameOf, pairOf, patchOf, placeOf, processes, shownOf, swapped, usual, usualName, withBase, withShown } from './dumps';
import { parseUrl, type ViewUrl } from './url/view-url';

const dump = (name: string, kind: 'is_base' | 'is_added' | '' = ''): DumpMeta => ({
  name,
  time_nanos: 0,
  file_time: 0,
  series: '',
  totals: [],
  duration_nanos: 0,
  period: 0,
  is_base: kind === 'is_base',
  is_added: kind === 'is_added',
});
const three = ['a', 'b', 'c'].map((name) => dump(name));
const at = (href: string): ViewUrl => parseUrl(href) ?? { view: 'top', params: [] };

describe('dumps', () => {
  it('leaves thinned dumps out and keeps numbers', () => {
    const thinned = three.map((of, i) => (i === 1 ? { ...of, is_added: true, is_thinned: true } : of));
    expect(processes(thinned).map((process) => process.dumps)).toEqual([[0, 2]]);
    expect(usual(thinned)).toEqual([0, 2]);
    expect(withBase({ shown: '', base: '' }, '2', thinned)).toEqual({ shown: '0', base: '2' });
  });
  it('reads either kind of base and keeps it', () => {
    expect(pairOf(at('/top?dump=2&diff_base=0'))).toEqual({ shown: '2', base: '0' });
    expect(patchOf(at('/top?diff_base=0'), { shown: '1', base: '2' })).toMatchObject({ dump: '1', base: '', diff_base: '2' });
    expect(patchOf(at('/top'), { shown: '', base: '2' })).toMatchObject({ dump: '', base: '2', diff_base: '' });
  });
  it('compares one dump with one', () => {
    expect(withBase({ shown: '', base: '' }, '0', three)).toEqual({ shown: '2', base: '0' });
    expect(withBase({ shown: '', base: '' }, '2', three)).toEqual({ shown: '1', base: '2' });
    expect(withBase({ shown: '1', base: '0' }, '1', three)).toEqual({ shown: '0', base: '1' });
    expect(withBase({ shown: '1', base: '0' }, '', three)).toEqual({ shown: '1', base: '' });
  });
  it('never compares a dump with itself', () => {
    expect(withShown({ shown: '1', base: '0' }, '0')).toEqual({ shown: '0', base: '' });
    expect(withShown({ shown: '1', base: '0' }, '2')).toEqual({ shown: '2', base: '0' });
    expect(withShown({ shown: '1', base: '' }, '')).toEqual({ shown: '', base: '' });
  });
  it('needs no name for the only one that is shown', () => {
    const dumps = [dump('a'), dump('b', 'is_added')];
    expect(usual(dumps)).toEqual([0]);
    expect(withBase({ shown: '', base: '' }, '1', dumps)).toEqual({ shown: '', base: '1' });
  });
  it('names the other one of two', () => {
    expect(withBase({ shown: '', base: '' }, '0', [dump('a'), dump('b')])).toEqual({ shown: '1', base: '0' });
  });
  it('adds up all but the base where none is named', () => {
    expect(shownOf({ shown: '', base: '1' }, three)).toBe('0,2');
    expect(shownOf({ shown: '1', base: '' }, three)).toBe('1');
  });
  it('swaps what is not named, too', () => {
    expect(swapped({ shown: '', base: '1' }, [dump('a'), dump('b', 'is_added')])).toEqual({ shown: '1', base: '0' });
    expect(swapped({ shown: '2', base: '0' }, three)).toEqual({ shown: '0', base: '2' });
  });
  it('is ordered by process and number, not by arrival', () => {
    const of = (series: string, number: number, is_added = true): DumpMeta => ({ ...dump('x'), series, number, is_added });
    const dumps = [of('a.1', 2), of('b.1', 1, false), of('a.1', 10), of('a.1', 9)];
    expect(processes(dumps)).toEqual([
      { series: 'a.1', dumps: [0, 3, 2] },
      { series: 'b.1', dumps: [1] },
    ]);
    expect([placeOf(3, dumps), placeOf(1, dumps)]).toEqual(['2 of 3', '']);
    expect([usualName(dumps), usualName(three), usualName([dump('a')])]).toEqual(['latest dump', 'all dumps, added up', 'the given dump']);
    // The only one that is shown becomes the base: another one is shown.
    expect(withBase({ shown: '', base: '' }, '1', dumps)).toEqual({ shown: '3', base: '1' });
  });
  it('calls dumps by their names', () => {
    expect(nameOf('1', three, (name) => name)).toBe('b');
    expect(nameOf('0,2', three, (name) => name)).toBe('2 dumps added up');
    expect(nameOf('9', three, (name) => name)).toBe('dump 9');
  });
});

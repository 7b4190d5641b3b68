import { describe, expect, it } from 'vitest';
import type { DumpMeta } from '../../api/types';
import { missingDump, resolveDumps, withDumpNames } from './link-dumps';
import { hrefOf, parseUrl, type ViewUrl } from './view-url';

function dumps(...names: readonly string[]): readonly DumpMeta[] {
  const rest = { time_nanos: 0, duration_nanos: 0, period: 0, series: '', number: null, file_time: 0, totals: [] };
  return names.map((name) => ({ ...rest, name, is_base: false, is_added: false }));
}

function url(href: string): ViewUrl {
  const parsed = parseUrl(href);
  if (parsed === undefined) throw new Error(href);
  return parsed;
}

const OPEN = dumps('/srv/a.heap', 'b, c&d.heap', 'c.heap');

describe('links with names of dumps', () => {
  it('contain names, and lose them again where the numbers still match', () => {
    const shared = withDumpNames(url('/top?dump=1&base=0,2&f=x'), OPEN);
    expect(hrefOf(shared)).toBe('/top?dump=1&base=0%2C2&f=x&dump_name=b%252C%2520c%2526d.heap&base_name=a.heap%2Cc.heap');
    expect(resolveDumps(url(hrefOf(shared)), OPEN)).toEqual({ url: url('/top?dump=1&base=0,2&f=x'), note: '' });
    expect(withDumpNames(url('/top?f=x'), OPEN)).toEqual(url('/top?f=x'));
  });

  it('find the dump at another place', () => {
    const other = dumps('c.heap', 'new.heap', '/tmp/a.heap');
    expect(resolveDumps(url('/?dump=2&diff_base=0&dump_name=c.heap&base_name=a.heap'), other)).toEqual({
      url: url('/?dump=0&diff_base=2'),
      note: '',
    });
  });

  it('name the dump that is not open', () => {
    const one = dumps('x.heap', 'same.heap', 'same.heap');
    expect(resolveDumps(url('/?dump=0&dump_name=gone.heap'), one).note).toBe(
      'This link was made for gone.heap, which is not open. Dump 1 here is x.heap.',
    );
    expect(resolveDumps(url('/?dump=9&dump_name=same.heap'), one).note).toBe('This link was made for same.heap, which is not open.');
    expect(resolveDumps(url('/?dump=0&dump_name=%25zz'), one).note).toContain('made for %zz');
  });

  it('report positions that do not exist', () => {
    expect(missingDump(url('/?dump=20'), OPEN)).toEqual({ key: 'dump', text: 'This link points to dump 21, but only 3 dumps are open.' });
    expect(missingDump(url('/?dump=0&base=1,3'), OPEN)?.text).toBe('This link points to dump 4 for comparison, but only 3 dumps are open.');
    expect(missingDump(url('/?dump=1'), dumps('a'))?.text).toBe('This link points to dump 2, but only one dump is open.');
    expect(missingDump(url('/?dump=x'), OPEN)).toBeUndefined();
    expect(missingDump(url('/?dump=2'), OPEN)).toBeUndefined();
  });
});

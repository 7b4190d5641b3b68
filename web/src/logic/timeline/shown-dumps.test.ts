import { describe, expect, it } from 'vitest';
import type { DumpMeta } from '../../api/types';
import { growthReport, growthRow } from './fixture';
import { compare, marksOf, moved, onlyThis, show } from './shown-dumps';
import { NO_ROW } from '../names/names';
import { apiPath, parseUrl, type ViewUrl } from '../url/view-url';

const base = growthReport([growthRow('a', [1, 2, 3])]);
/** Dumps 4, 5 and 6 of all. */
const report = { ...base, dump: base.dump.map((d) => ({ ...d, dump: d.dump + 4 })) };
const url = (query = ''): ViewUrl => parseUrl(`/timeline${query}`) ?? { view: 'timeline', params: [] };
const meta = (n: number, shown: number): readonly DumpMeta[] =>
  Array.from({ length: n }, (_, i) => ({
    name: '',
    time_nanos: 0,
    duration_nanos: 0,
    period: 0,
    file_time: 0,
    series: '',
    totals: [],
    is_base: false,
    is_added: i !== shown,
  }));

describe('marks', () => {
  it('are at the dumps of the address', () => {
    expect(marksOf(report, url('?dump=6&base=4'), meta(7, 6))).toEqual({ shown: 2, base: 0, named: true });
    expect(marksOf(report, url('?dump=5&diff_base=4'), meta(7, 6))).toEqual({ shown: 1, base: 0, named: true });
  });

  it('are at what is shown without being named, and nowhere when that is several', () => {
    expect(marksOf(report, url(), meta(7, 6))).toEqual({ shown: 2, base: -1, named: false });
    expect(marksOf(report, url('?dump=4,5'), meta(7, 6)).shown).toBe(-1);
    expect(marksOf(report, url('?dump=1'), meta(7, 6)).shown).toBe(-1);
  });
});

describe('moves', () => {
  it('show a dump by its number among all', () => {
    expect(show(report, url('?base=4'), 1)).toMatchObject({ dump: '5', base: '', diff_base: '', zoom: '', at: '', from: '', to: '' });
  });

  it('compare with the earlier one, wherever the hand began', () => {
    expect(compare(report, url(), 2, 0)).toMatchObject({ dump: '6', base: '4', diff_base: '', zoom: '' });
    expect(compare(report, url('?diff_base=5'), 0, 2)).toMatchObject({ dump: '6', base: '', diff_base: '4', zoom: '' });
    expect(compare(report, url(), 1, 1)).toEqual(show(report, url(), 1));
  });

  it('by keys stay inside', () => {
    expect(['ArrowRight', 'ArrowLeft', 'Home', 'End', 'PageUp'].map((key) => moved(key, 2, 30))).toEqual([3, 1, 0, 29, 5]);
    expect([moved('ArrowLeft', 0, 3), moved('ArrowRight', 2, 3), moved('x', 1, 3)]).toEqual([0, 2, undefined]);
  });
});

describe('the question', () => {
  it('is about all dumps, whichever is shown', () => {
    expect(apiPath(url('?dump=2&base=1&norm=t&limit=8GiB&by=packages&axis=dumps&rank=slope'))).toBe(
      '/api/v1/growth?limit=8GiB&by=packages',
    );
    expect(apiPath(url('?dump=2&limit=8GiB&by=packages'), 'top')).toBe('/api/v1/top?dump=2');
  });
});

describe('only this', () => {
  it('filters by what a row is', () => {
    const row = { ...NO_ROW, name: 'a::f', package: 'a-b' };
    expect(onlyThis('culprits', row)).toEqual({ blame: '^a::f$', zoom: '' });
    expect(onlyThis('packages', { ...NO_ROW, name: 'a-b', package: 'a-b' })).toEqual({ package: '^a-b$', zoom: '' });
    expect(onlyThis('types', { ...NO_ROW, name: 'Vec<u8>', full_name: 'alloc::vec::Vec<u8>' })).toEqual({
      type: '^alloc::vec::Vec<u8>$',
      zoom: '',
    });
    expect(onlyThis('functions', row)).toEqual({ f: '^a::f$', zoom: '' });
  });
});

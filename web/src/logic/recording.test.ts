import { describe, expect, it } from 'vitest';
import type { DumpMeta, Meta, MomentReport, RunReport } from '../api/types';
import { isOfMoments, neighbourOf, runOf, scopeOf, shownRun, timesOf, timesPatch, valueChoices, valueLabel, wholePair } from './recording';
import { parseUrl, type ViewUrl } from './url/view-url';

const RUN: RunReport = {
  name: 'x/ferry.zst',
  recorder: 'heaptrack 1.4.0',
  command: 'ferry',
  is_attached: false,
  pid: 0,
  mode: '',
  short_lifetime: 0,
  has_temporary: true,
  has_states: true,
  clock: 'time',
  duration: 251e6,
  allocations: 1427,
  allocations_per_second: 5685,
  temporary: 811,
  is_temporary_exact: false,
  peak_bytes: 3_291_930,
  peak_at: 118e6,
  shows_peak: false,
  has_any_time: true,
  peak_rss: 4_505_600,
  is_rss_of_program: false,
  system_memory: 25e9,
  end_objects: 614,
  end_bytes: 157_786,
  suppressed_bytes: 0,
  suppression: [],
  blocks: { top: [], lifetime: [] },
};

function dump(name: string, over: Partial<DumpMeta> = {}): DumpMeta {
  return {
    name,
    time_nanos: 0,
    duration_nanos: 0,
    period: 0,
    series: '',
    number: null,
    file_time: 0,
    totals: [],
    is_base: false,
    is_added: false,
    ...over,
  };
}

function moment(at: number, over: Partial<MomentReport> = {}): DumpMeta {
  const report = { at: at * 1e6, clock: 'time' as const, is_peak: false, is_end: false, ...over };
  return dump(`x/ferry.zst at ${at}ms`, { series: 'x/ferry.zst', is_added: true, moment: report });
}

const MOMENTS = [moment(22), moment(118, { is_peak: true }), moment(251, { is_end: true })];
const META: Pick<Meta, 'dumps' | 'runs'> = { dumps: [dump('x/ferry.zst'), ...MOMENTS], runs: [RUN] };

function at(query: string): ViewUrl {
  const url = parseUrl(`/flame?${query}`);
  if (url === undefined) throw new Error(query);
  return url;
}

describe('what an address shows', () => {
  it('is the whole recording, one of its moments, or a dump', () => {
    expect(scopeOf(at(''), META)).toBe('recording');
    expect(scopeOf(at('dump=1'), META)).toBe('moment');
    expect(scopeOf(at('dump=2&base=1'), META)).toBe('moment');
    expect(scopeOf(at(''), { dumps: [dump('a.heap')] })).toBe('dumps');
    expect(scopeOf(at(''), undefined)).toBe('dumps');
  });

  it('belongs to a recording', () => {
    expect(shownRun(at('dump=3'), META)).toBe(RUN);
    expect(runOf('0', META)).toBe(RUN);
    expect(runOf('0,1', META)).toBeUndefined();
    expect(runOf('9', META)).toBeUndefined();
  });

  it('is the whole recording again after one click', () => {
    expect(wholePair({ shown: '2', base: '1' }, META.dumps)).toEqual({ shown: '', base: '' });
    // Beside another dump it has to be named.
    expect(wholePair({ shown: '2', base: '' }, [...META.dumps, dump('b.heap')])).toEqual({ shown: '0', base: '' });
  });
});

describe('keys', () => {
  it('go from the whole recording to the peak, and from there to its neighbours', () => {
    expect([neighbourOf('0', 1, META), neighbourOf('2', 1, META), neighbourOf('2', -1, META)]).toEqual([2, 3, 1]);
    expect([neighbourOf('3', 1, META), neighbourOf('1', -1, META)]).toEqual([3, 1]);
    expect(neighbourOf('0', 1, { dumps: [dump('a.heap')] })).toBe(-1);
  });
});

describe('value types', () => {
  const kinds = [
    'alloc_objects',
    'alloc_space',
    'inuse_objects',
    'inuse_space',
    'peak_objects',
    'peak_space',
    'temp_objects',
    'temp_space',
  ];

  it('have the names of heaptrack on a recording', () => {
    expect(valueChoices(kinds, 'recording', 'peak_space').map((kind) => valueLabel(kind, 'recording'))).toEqual([
      'Peak (bytes)',
      'Leaked (bytes)',
      'Allocations',
      'Temporary allocations',
      'Allocated (bytes)',
      'Peak (objects)',
      'Leaked (objects)',
      'Temporary (bytes)',
    ]);
    expect(valueLabel('peak_space', 'dumps')).toBe('peak space');
    expect(valueLabel('wall', 'recording')).toBe('wall');
    expect(valueLabel('inuse_space', 'snapshots')).toBe('In use (bytes)');
  });

  it('at a moment name what is in use once, and the shown one always', () => {
    const labels = (shown: string) => valueChoices(kinds, 'moment', shown).filter((kind) => /^(peak|inuse)/.test(kind));
    expect(labels('peak_space')).toEqual(['peak_space', 'peak_objects']);
    expect(labels('inuse_space')).toEqual(['inuse_space', 'peak_objects']);
    expect(valueLabel('inuse_space', 'moment')).toBe(valueLabel('peak_space', 'moment'));
    expect(valueChoices(['inuse_space'], 'moment', '')).toEqual(['inuse_space']);
    expect(valueChoices(kinds, 'dumps', 'inuse_space')).toBe(kinds);
  });
});

it('a series is one of moments if all are', () => {
  const report = { dump: MOMENTS.map(({ moment: of }) => ({ moment: of ?? null })) };
  expect(isOfMoments(report)).toBe(true);
  expect(isOfMoments({ dump: [...report.dump, {}] })).toBe(false);
  expect(isOfMoments({ dump: [] })).toBe(false);
});

describe('a time of a recording', () => {
  it('is what was typed, in place of moments and baselines', () => {
    const typed = (text: string, query = ''): unknown => timesPatch(text, at(query), META.dumps);
    const none = { dump: '', base: '', diff_base: '', at: '', from: '', to: '', zoom: '' };
    expect(typed('12.5 s', 'dump=2&base=1')).toEqual({ ...none, at: '12.5s' });
    expect(typed('1s-3s')).toEqual({ ...none, from: '1s', to: '3s' });
    expect(typed('500 ms to peak')).toEqual({ ...none, from: '500ms', to: 'peak' });
    expect(typed('')).toEqual(none);
  });

  it('is named and makes a moment of the view', () => {
    expect([timesOf(at('at=peak')), timesOf(at('from=1s')), timesOf(at('to=3s')), timesOf(at(''))]).toEqual([
      'peak',
      '1s to end',
      '0s to 3s',
      '',
    ]);
    expect(scopeOf(at('at=118ms'), META)).toBe('moment');
  });
});

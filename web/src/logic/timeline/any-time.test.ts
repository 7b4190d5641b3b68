import { describe, expect, it } from 'vitest';
import { parseUrl } from '../url/view-url';
import { pointAt, secondsOf, timesBetween } from './any-time';
import { chooseBands, stackOf } from './bands';
import { frameOf } from './chart-geometry';
import { growthRow, recordingReport } from './fixture';

const report = recordingReport([growthRow('a', [100, 300, 200])], [22, 118, 251]);
const frame = frameOf(report, stackOf(report, chooseBands(report)), 'time', 1086, 234);

describe('a position on the chart of a recording', () => {
  it('is the dump within a few pixels, else a time with the digits of a pixel', () => {
    const x = frame.x(1);
    expect(pointAt(frame, report, x + 3, true)).toEqual({ at: 1, time: '' });
    const between = pointAt(frame, report, (frame.x(0) + x) / 2, true);
    expect(between.time).toMatch(/^[\d.]+ms$/);
    const [first, second] = [report.dump[0]?.at ?? 0, report.dump[1]?.at ?? 0];
    expect(Math.abs(Number.parseFloat(between.time) / 1000 - (first + second) / 2)).toBeLessThan((second - first) / 50);
    expect(frame.xOf(frame.timeAt(x + 40))).toBeCloseTo(x + 40, 6);
  });

  it('is the nearest dump where states between are not known, and past the end', () => {
    expect(pointAt(frame, report, (frame.x(0) + frame.x(1)) / 2 - 2, false)).toEqual({ at: 0, time: '' });
    expect(pointAt(frame, report, frame.right + 10, true)).toEqual({ at: 2, time: '' });
  });

  it('is an end of a range, which has times if one end is no dump', () => {
    const [time, peak, first] = [
      { at: 0, time: '230ms' },
      { at: 1, time: '' },
      { at: 0, time: '' },
    ];
    expect(timesBetween(report, time, peak)).toEqual(['peak', '230ms']);
    expect(timesBetween(report, first, time)).toEqual(['0.022s', '230ms']);
    expect(timesBetween(report, first, peak)).toBeUndefined();
  });
});

describe('times of the address', () => {
  const times = (query: string): readonly number[] => {
    const url = parseUrl(`/timeline?${query}`);
    return url === undefined ? [] : secondsOf(url);
  };

  it('are seconds; words and other clocks are left out', () => {
    expect(times('at=1min30s')).toEqual([90]);
    expect(times('from=500ms&to=peak')).toEqual([0.5]);
    expect(times('at=1.2Mi')).toEqual([]);
    expect(times('')).toEqual([]);
  });
});

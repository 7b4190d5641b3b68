import { describe, expect, it } from 'vitest';
import { growthReport, growthRow, recordingReport } from './fixture';
import { acrossTicks, axisOf, dumpNumbers, formatSpan, gapsOf, nearestPlace, placesOf, valueAxis } from './scale';

const three = (every: number) => growthReport([growthRow('a', [1, 2, 3])], {}, every);

describe('places', () => {
  it('are in proportion to time, or the same distance apart', () => {
    const report = three(60);
    const late = { ...report, dump: report.dump.map((d, i) => ({ ...d, at: [0, 10, 100][i] ?? 0 })) };
    expect(placesOf(late, 'time')).toEqual([0, 0.1, 1]);
    expect(placesOf(late, 'dumps')).toEqual([0, 0.5, 1]);
    // Without times, numbers give the distances, as slopes are per number.
    expect(placesOf({ ...late, axis: 'dump' }, 'dumps')).toEqual([0, 0.1, 1]);
  });

  it('are counted in instructions or bytes where valgrind counts those', () => {
    const counted = { ...three(60), axis: 'Minstr' };
    const report = { ...counted, dump: counted.dump.map((d, i) => ({ ...d, at: [0, 0.5, 2][i] ?? 0 })) };
    expect(axisOf(report, 'dumps')).toBe('time');
    expect(placesOf(report, 'time')).toEqual([0, 0.25, 1]);
    expect(acrossTicks(report, 'time', 500).map((tick) => tick.label)).toEqual(['0', '500 k', '1.00 M', '1.50 M', '2.00 M']);
    expect(acrossTicks({ ...report, axis: 'MiB' }, 'time', 300).map((tick) => tick.label)).toEqual(['0 B', '1.00 MiB', '2.00 MiB']);
  });

  it('are in the middle for one dump alone', () => {
    expect(placesOf(growthReport([growthRow('a', [1])]), 'time')).toEqual([0.5]);
  });

  it('are by dump where no time is known', () => {
    expect(axisOf({ axis: 'dump' }, '')).toBe('dumps');
    expect(axisOf({ axis: 's' }, '')).toBe('time');
    expect(axisOf({ axis: 's' }, 'dumps')).toBe('dumps');
  });

  it('are found by the nearest one', () => {
    const places = [0, 0.1, 1];
    expect([-5, 0.04, 0.06, 0.54, 0.56, 9].map((at) => nearestPlace(places, at))).toEqual([0, 0, 1, 1, 2, 2]);
    expect(nearestPlace([], 0.5)).toBe(-1);
  });
});

describe('heights', () => {
  it('begin at nothing and have round lines', () => {
    const axis = valueAxis(0, 35 * 1024 * 1024, 'bytes');
    expect(axis.ticks.map((t) => t.label)).toEqual(['0 B', '8 MiB', '16 MiB', '24 MiB', '32 MiB']);
    expect(axis.at(0)).toBe(0);
    expect(axis.at(35 * 1024 * 1024)).toBeLessThan(1);
  });

  it('go below nothing where something is negative', () => {
    const axis = valueAxis(-40, 50, 'count');
    expect(axis.ticks.map((t) => t.label)).toEqual(['−40', '−20', '0', '20', '40']);
    expect(axis.at(0)).toBeGreaterThan(0.3);
  });
});

describe('the axis of a recording', () => {
  const of = (...millis: readonly number[]) => recordingReport([growthRow('a', [1, 2, 3])], millis);
  it('is the time since it began', () => {
    const ticks = acrossTicks(of(22, 118, 251), 'time', 500);
    expect(ticks.map(({ label }) => label)).toEqual(['50 ms', '100 ms', '150 ms', '200 ms', '250 ms']);
    expect(ticks[1]?.at).toBeCloseTo((100 - 22) / (251 - 22), 6);
    expect(acrossTicks(of(0, 60_000, 200_000), 'time', 400).map(({ label }) => label)).toEqual(['0 ms', '1 min', '2 min', '3 min']);
    expect(acrossTicks(of(5, 5, 5), 'time', 400)).toEqual([]);
  });

  it('is never one of dumps, and has no gaps', () => {
    expect(axisOf(of(22, 118, 251), 'dumps')).toBe('time');
    expect(gapsOf(recordingReport([growthRow('a', [1, 2, 3, 4])], [1, 2, 3, 400]), 'time')).toEqual([]);
  });
});

describe('lines across', () => {
  it('are at round times of the clock', () => {
    expect(acrossTicks(three(1800), 'time', 600).map((t) => t.label)).toEqual([
      '12:00',
      '12:10',
      '12:20',
      '12:30',
      '12:40',
      '12:50',
      '13:00',
    ]);
    expect(acrossTicks(three(4), 'time', 500).map((t) => t.label)).toEqual(['12:00:00', '12:00:02', '12:00:04', '12:00:06', '12:00:08']);
  });

  it('show the day where it changes', () => {
    const labels = acrossTicks(three(86_400), 'time', 400).map((t) => t.label);
    expect(labels).toEqual(['11-20 12:00', '11-21 00:00', '12:00', '11-22 00:00', '12:00']);
  });

  it('show the time since the first without a clock', () => {
    const report = three(1800);
    const labels = acrossTicks({ axis: 's', dump: report.dump.map((d) => ({ ...d, time_nanos: 0 })) }, 'time', 400).map((t) => t.label);
    expect(labels).toEqual(['0 s', '15 min', '30 min', '45 min', '1 h']);
  });

  it('number dumps, fewer where there are many', () => {
    expect(acrossTicks(three(60), 'dumps', 600).map((t) => t.label)).toEqual(['1', '2', '3']);
    const many = growthReport([
      growthRow(
        'a',
        Array.from({ length: 300 }, () => 1),
      ),
    ]);
    const labels = acrossTicks(many, 'dumps', 900).map((t) => t.label);
    expect(labels[0]).toBe('1');
    expect(labels).toContain('300');
    expect(labels.length).toBeLessThan(12);
  });

  it('number dumps as their files do', () => {
    const report = three(60);
    const late = { ...report, axis: 'dump', dump: report.dump.map((d, i) => ({ ...d, at: [0, 9, 19][i] ?? 0 })) };
    const meta = [1, 10, 20].map((number) => ({ name: '', number, series: 'a.1' }));
    const metas = meta.map((m) => ({
      ...m,
      ...{ time_nanos: 0, file_time: 0, totals: [], duration_nanos: 0, period: 0, is_base: false, is_added: false },
    }));
    const numbers = dumpNumbers(late, metas);
    expect(numbers).toEqual([1, 10, 20]);
    expect(acrossTicks(late, 'dumps', 600, numbers)).toEqual([
      { at: 0, label: '1' },
      { at: 9 / 19, label: '10' },
      { at: 1, label: '20' },
    ]);
    // Too near to the one before.
    expect(acrossTicks(late, 'dumps', 60, numbers).map((t) => t.label)).toEqual(['1', '20']);
    expect(
      dumpNumbers(
        late,
        metas.map((m) => ({ ...m, number: null })),
      ),
    ).toEqual([1, 2, 3]);
    expect(dumpNumbers(late, metas.toReversed())).toEqual([1, 2, 3]);
  });
});

describe('gaps', () => {
  const at = (...times: readonly number[]) => ({ dump: times.map((t, i) => ({ dump: i, name: '', at: t, time_nanos: 0, total: 0 })) });

  it('are where nothing was taken for long', () => {
    expect(gapsOf(at(0, 10, 20, 30, 130, 140), 'time')).toEqual([3]);
    expect(gapsOf(at(0, 10, 20, 30, 130, 140), 'dumps')).toEqual([]);
    expect(gapsOf(at(0, 10, 30, 40, 55), 'time')).toEqual([]);
  });
});

describe('lengths of time', () => {
  it('have one or two units', () => {
    expect([0, 0.5, 45, 60, 5400, 86_400, 97_200, 3_000_000].map(formatSpan)).toEqual([
      '0 s',
      '0.5 s',
      '45 s',
      '1 min',
      '1 h 30 min',
      '1 d',
      '1 d 3 h',
      '34 d',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { chooseBands, stackOf } from './bands';
import { growthReport, growthRow, recordingReport, trend } from './fixture';
import { frameOf } from './chart-geometry';

const report = growthReport([growthRow('a', [100, 200, 300])], { total: trend({ first: 100, last: 300, slope: 1 }) });
const span = (report.dump.at(-1)?.at ?? 0) - (report.dump[0]?.at ?? 0);
const frame = (over: Partial<typeof report>) => {
  const all = { ...report, ...over };
  return frameOf(all, stackOf(all, chooseBands(all)), 'time', 1086, 234);
};

describe('the frame', () => {
  it('has the dumps from edge to edge without a limit', () => {
    const plain = frame({});
    expect([plain.x(0), plain.x(2)]).toEqual([plain.left, plain.right]);
    expect([plain.limit, plain.forecast, plain.isLimitAbove]).toEqual([undefined, undefined, false]);
  });

  it('leaves room on the right for the way to the limit', () => {
    const ahead = frame({ limit: 400, until_limit: [span / 4, span / 4, span / 4] });
    expect(ahead.x(2)).toBeCloseTo(ahead.left + (ahead.right - ahead.left) / 1.25, 6);
    expect(ahead.forecast?.reaches).toBe(true);
    expect(ahead.forecast?.y).toBeCloseTo(ahead.limit ?? 0, 6);
    expect(ahead.nearest(ahead.right)).toBe(2);
    expect(ahead.nearest(ahead.x(1))).toBe(1);
  });

  it('shows a limit that is far above at its upper edge, and where the line goes', () => {
    const far = frame({ limit: 30_000, until_limit: [span * 100, span * 100, span * 100] });
    expect([far.isLimitAbove, far.limit]).toEqual([true, far.top]);
    expect(far.forecast?.reaches).toBe(false);
    expect(far.forecast?.y).toBeGreaterThan(far.top);
    expect(far.forecast?.y).toBeLessThan(far.y(300));
  });

  it('has no forecast for a limit that is passed, or without growth', () => {
    expect(frame({ limit: 200, until_limit: [] }).forecast).toBeUndefined();
    expect(frame({ limit: 200, until_limit: [] }).isLimitAbove).toBe(false);
    expect(frame({ limit: 400, until_limit: [] }).forecast).toBeUndefined();
  });
});

describe('a recording', () => {
  const drawn = (over: Partial<typeof report> = {}, rss = 2) => {
    const made = recordingReport([growthRow('a', [100, 300, 200])], [22, 118, 251], over);
    const all = { ...made, dump: made.dump.map((dump) => ({ ...dump, rss: rss * dump.total })) };
    return frameOf(all, stackOf(all, chooseBands(all)), 'time', 1086, 234);
  };

  it('has its peak, and resident memory in steps', () => {
    const live = drawn();
    expect(live.peak).toBe(1);
    expect(live.rss).toMatch(/^M72,[\d.]+H[\d.]+V[\d.]+H1072V[\d.]+$/);
    // All of it is in the chart.
    expect(live.y(600)).toBeGreaterThanOrEqual(live.top);
  });

  it('has the peak under the pointer where another moment has its stamp', () => {
    const made = recordingReport([growthRow('a', [100, 110, 300, 200])], [22, 118, 118.000001, 251]);
    const all = frameOf(made, stackOf(made, chooseBands(made)), 'time', 1086, 234);
    expect([all.peak, all.nearest(all.x(1)), all.nearest(all.x(0)), all.nearest(all.x(3))]).toEqual([2, 2, 0, 3]);
  });

  it('has lines of all its snapshots, also before and after those with stacks', () => {
    const made = recordingReport([growthRow('a', [100, 300])], [100, 200]);
    const point = (at: number, heap: number, extra = 0, stacks = 0) => ({ at, heap, extra, stacks });
    const lines = (curve: NonNullable<typeof made.curve>) => {
      const all = { ...made, dump: made.dump.map((dump) => ({ ...dump, rss: 0 })), curve };
      return frameOf(all, stackOf(all, chooseBands(all)), 'time', 1086, 234);
    };
    const heap = lines([point(0, 0), point(0.1, 100), point(0.2, 300), point(0.4, 900)]);
    expect(heap.curves.map(({ name }) => name)).toEqual(['heap']);
    expect(heap.curves[0]?.path).toMatch(/^M72,[\d.]+L322,[\d.]+L572,[\d.]+L1072,[\d.]+$/);
    expect([heap.x(0), heap.x(1)]).toEqual([322, 572]);
    expect(heap.y(900)).toBeGreaterThanOrEqual(heap.top);
    const more = lines([point(0, 5, 1), point(0.4, 9, 1, 7)]);
    expect(more.curves.map(({ name }) => name)).toEqual(['heap', 'with overhead and stacks']);
    expect(lines([point(0, 5, 1), point(0.4, 9, 1)]).curves.map(({ name }) => name)).toEqual(['heap', 'with overhead']);
    expect(lines([]).curves).toEqual([]);
  });

  it('has no resident memory that is far above, and none beside counts or allocations', () => {
    expect(drawn({}, 10).rss).toBeUndefined();
    expect(drawn({}, 0).rss).toBeUndefined();
    const header = { ...report.header, value_type: 'alloc_objects', unit: 'count' };
    expect([drawn({ header }).rss, drawn({ header }).peak]).toEqual([undefined, -1]);
    expect(frame({}).peak).toBe(-1);
  });
});

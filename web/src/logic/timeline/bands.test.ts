import { describe, expect, it } from 'vitest';
import { bandAt, chooseBands, drawnDumps, labelPlace, outlineOf, rowKey, stackOf, valueAt } from './bands';
import { growthReport, growthRow, recordingReport } from './fixture';

const LEAK = growthRow('shop::leak', [1, 2, 3], 'leak');
const LARGE = growthRow('shop::cache', [50, 50, 50], 'flat');
const SMALL = growthRow('shop::tiny', [5, 0, 5]);

describe('bands', () => {
  it('put what grows at the bottom, then the others by size, then the rest', () => {
    const report = growthReport([LEAK, SMALL, LARGE], {}, 60, [7, 7, 7]);
    const rows = chooseBands(report);
    expect(rows).toEqual([0, 2, 1]);
    const { bands, low, high } = stackOf(report, rows);
    expect(bands.map((b) => [...b.to])).toEqual([
      [1, 2, 3],
      [51, 52, 53],
      [56, 52, 58],
      [63, 59, 65],
    ]);
    expect(bands.at(-1)?.row).toBe(-1);
    expect([low, high]).toEqual([0, 65]);
  });

  it('are at most ten; the rest contains all others', () => {
    const report = growthReport(Array.from({ length: 30 }, (_, i) => growthRow(`f${i}`, [i + 1, i + 1])));
    const { bands } = stackOf(report, chooseBands(report));
    expect(bands.length).toBe(11);
    const rest = bands.at(-1);
    expect(rest && valueAt(rest, 0)).toBe((20 * 21) / 2);
  });

  it('hang what is negative below nothing', () => {
    const report = growthReport([growthRow('a', [4, -2]), growthRow('b', [1, 3])]);
    const { bands, low, high } = stackOf(report, [0, 1]);
    expect(bands.map((b) => [b.from[1], b.to[1]])).toEqual([
      [0, -2],
      [0, 3],
    ]);
    expect([low, high]).toEqual([-2, 5]);
  });

  it('keep their places while dumps join and ranks change', () => {
    const keys = [LEAK, LARGE, SMALL].map(rowKey);
    const grown = growthReport([growthRow('shop::cache', [50, 50, 50, 90], 'leak'), growthRow('new', [0, 0, 0, 99]), LEAK, SMALL]);
    expect(chooseBands(grown).map((i) => grown.row[i]?.row.name)).toEqual(['shop::cache', 'shop::leak', 'new', 'shop::tiny']);
    expect(chooseBands(grown, keys).map((i) => grown.row[i]?.row.name)).toEqual(['shop::leak', 'shop::cache', 'shop::tiny', 'new']);
  });

  it('leave out rows that are always zero', () => {
    expect(chooseBands(growthReport([growthRow('none', [0, 0], 'leak'), LARGE]))).toEqual([1]);
  });

  it('are found by height', () => {
    const stack = stackOf(growthReport([LEAK, LARGE]), [0, 1]);
    expect(bandAt(stack, 2, 2)?.row).toBe(0);
    expect(bandAt(stack, 2, 20)?.row).toBe(1);
    expect(bandAt(stack, 2, 60)).toBeUndefined();
    expect(bandAt(stack, 2, -1)).toBeUndefined();
  });
});

describe('outlines', () => {
  it('go there on top and back at the bottom', () => {
    const [band] = stackOf(growthReport([growthRow('a', [1, 2])]), [0]).bands;
    expect(
      band &&
        outlineOf(
          band,
          [0, 1],
          (i) => i * 10,
          (v) => 100 - v,
        ),
    ).toBe('M0,99L10,98L10,100L0,100Z');
  });

  it('keep peaks when there are more dumps than pixels', () => {
    const totals = Array.from({ length: 10_000 }, (_, i) => (i === 7777 ? 1000 : i % 7));
    const places = totals.map((_, i) => i / 9999);
    const drawn = drawnDumps(totals, places, 100);
    expect(drawn).toContain(7777);
    expect(drawn.length).toBeLessThan(250);
    expect([drawn[0], drawn.at(-1)]).toEqual([0, 9999]);
    expect(drawn).toEqual([...drawn].sort((a, b) => a - b));
  });

  it('draw every dump where there is room', () => {
    expect(drawnDumps([1, 2, 3], [0, 0.5, 1], 100)).toEqual([0, 1, 2]);
  });
});

describe('names in bands', () => {
  const [band] = stackOf(growthReport([growthRow('a', [0, 0, 40, 40])]), [0]).bands;
  const place = (height: number) =>
    band &&
    labelPlace(
      band,
      [0, 1, 2, 3],
      (i) => i * 100,
      (v) => 100 - v,
      { width: 60, height },
    );

  it('are placed where the band is high throughout', () => {
    const found = place(15);
    expect(found?.x).toBeGreaterThan(230);
    expect(found?.y).toBe(80);
  });

  it('are not there when there is no room', () => {
    expect(place(50)).toBeUndefined();
  });
});

it('bands of a recording are its largest rows, whether they grow or not', () => {
  const rows = [
    growthRow('tiny', [0, 1, 2], 'leak'),
    growthRow('freed', [0, 900, 0]),
    growthRow('nothing', [0, 0, 0]),
    growthRow('kept', [10, 500, 600], 'step'),
  ];
  expect(chooseBands(recordingReport(rows, [1, 2, 3]))).toEqual([1, 3, 0]);
});

import { signal } from '@preact/signals';
import { describe, expect, it, vi } from 'vitest';
import { askInstead } from '../../api/fetch';
import type { AnyReport, Tagged } from '../../api/guards';
import type { FlameReport } from '../../api/types';
import { flame, HEADER } from '../../logic/flame/fixture';
import { createBusy } from '../page/busy';
import { createFlameDetail } from './detail';
import type { ReportState } from '../report/report-state';

function tagged(report: FlameReport, cutoff: number): Tagged<'flame', FlameReport> {
  return { ...report, header: { ...HEADER, value_total: 100, node_cutoff: cutoff }, kind: 'flame' };
}

// Two boxes, each half folded.
const WHOLE = {
  ...flame(`
  0 - 100
  1 a 50
  2 - 50
  1 b 50
  2 - 50
`),
  id: ['', 'a', '', 'b', ''],
};
const PARTS: Readonly<Record<string, FlameReport>> = { a: flame('0 a 50\n1 c 50'), b: flame('0 b 50\n1 d 50') };
const VIEW = { from: 0, to: 1, firstRow: 0, lastRow: 9, width: 30 };

/** Answers wait until they are released. */
function delayed(): { readonly requested: string[]; readonly release: (zoom: string) => void } {
  const requested: string[] = [];
  const waiting = new Map<string, (reply: Response) => void>();
  askInstead((path) => {
    const params = new URLSearchParams(path.slice(path.indexOf('?')));
    const key = params.get('zoom') ?? `open ${params.get('open') ?? ''}`;
    requested.push(key);
    return new Promise((done) => {
      waiting.set(key, done);
    });
  });
  const release = (key: string): void => {
    const part = key.startsWith('open') ? { ...flame('0 - 100\n1 main 80'), id: ['', 'm1234567'] } : PARTS[key];
    waiting.get(key)?.(Response.json(part === undefined ? {} : tagged(part, 1), { status: part === undefined ? 404 : 200 }));
  };
  return { requested, release };
}

function paneOf(report: AnyReport): ReportState<AnyReport> {
  return { report: signal(report), shownPath: signal('/api/v1/flame?f=x'), problem: signal(undefined), loading: signal(false) };
}

const names = (report: FlameReport | undefined): readonly string[] => (report?.node ?? []).map((row) => report?.row[row]?.name ?? '-');

describe('createFlameDetail', () => {
  it('requests everything missing at once and shows it in one update', async () => {
    const { requested, release } = delayed();
    const detail = createFlameDetail(paneOf(tagged(WHOLE, 40)), createBusy());
    detail.look(VIEW, 'both');
    expect([...requested].sort()).toEqual(['a', 'b']);
    expect(detail.loading.value).toBe(true);
    release('b');
    await new Promise((done) => setTimeout(done, 5));
    expect(names(detail.shown.value?.report)).toEqual(['-', 'a', '-', 'b', '-']);
    release('a');
    await vi.waitFor(() => {
      expect(detail.loading.value).toBe(false);
    });
    expect(names(detail.shown.value?.report)).toEqual(['-', 'a', 'c', 'b', 'd']);
    detail.look(VIEW, 'both');
    expect(requested).toHaveLength(2);
    detail.dispose();
  });
  it('leaves folded what the server refuses', async () => {
    const { release } = delayed();
    const refused = { ...WHOLE, id: ['', 'x', '', 'b', ''] };
    const detail = createFlameDetail(paneOf(tagged(refused, 40)), createBusy());
    detail.look(VIEW, 'both');
    release('x');
    release('b');
    await vi.waitFor(() => {
      expect(detail.loading.value).toBe(false);
    });
    expect(names(detail.shown.value?.report)).toEqual(['-', 'a', '-', 'b', 'd']);
    detail.dispose();
  });
  it('requests the sums of the callers of a zoomed box', async () => {
    const { requested, release } = delayed();
    const zoomed = { ...flame('0 run 50\n1 a 50'), id: ['r'], above: [1], above_id: ['m1234567'] };
    const detail = createFlameDetail(paneOf(tagged(zoomed, 1)), createBusy());
    expect(requested).toEqual(['open m1234567']);
    expect(detail.shown.value?.report.cum).toEqual([100, Number.NaN, 50, 50]);
    release('open m1234567');
    await vi.waitFor(() => {
      expect(detail.shown.value?.report.cum).toEqual([100, 80, 50, 50]);
    });
    detail.dispose();
  });
});

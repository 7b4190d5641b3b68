import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { FlameReport } from '../../api/types';
import { numberAt } from '../../logic/number-at';
import { boxesOf, matchedSum, type FlameLayout } from '../../logic/flame/layout';
import { matchesRow } from '../../logic/names/pattern';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';

interface Search {
  readonly store: Store;
  readonly report: FlameReport;
  readonly layout: FlameLayout;
  readonly cursor: ReadonlySignal<number>;
  /** Whether a box is in the window and wide enough to be seen. */
  readonly isSeen: (box: number) => boolean;
  /** Brings a box into the window; `chosen` if the user stepped to it. */
  readonly lead: (box: number, chosen: boolean) => void;
}

/** Rows that the search finds. Reports the number of boxes to the search box and steps through them. */
export function useFlameSearch({ store, report, layout, cursor, isSeen, lead }: Search): Uint8Array | undefined {
  const pattern = store.search.value;
  const matches = useMemo(
    () => (pattern.kind === 'ok' ? Uint8Array.from(report.row, (row) => (matchesRow(pattern, row) ? 1 : 0)) : undefined),
    [report.row, pattern],
  );
  const hits = useMemo(() => (matches === undefined ? undefined : boxesOf(report, matches)), [report, matches]);
  const at = hits === undefined ? -1 : hits.indexOf(cursor.value);
  // Immediately: the next key may be pressed before a frame is drawn.
  useLayoutEffect(() => {
    if (hits === undefined || matches === undefined) {
      store.found.value = undefined;
      return;
    }
    const step = (by: 1 | -1): void => {
      const n = hits.length;
      if (n === 0) return;
      // Keys may be pressed faster than frames are drawn.
      const box = cursor.peek();
      const current = hits.indexOf(box);
      const after = hits.findIndex((hit) => hit > box);
      const next = current >= 0 ? current + by : by > 0 ? Math.max(0, after) : (after < 0 ? n : after) - 1;
      lead(numberAt(hits, (next + n) % n), true);
    };
    store.found.value = { count: hits.length, noun: 'box', value: matchedSum(report, layout, matches).value, at, step };
  }, [hits, at, layout]);
  // After a new search at least one match is in the window.
  const requested = param(store.url.value, 'q');
  const shown = useRef(requested);
  useEffect(() => {
    if (shown.current === requested) return;
    shown.current = requested;
    const first = hits?.[0];
    if (first !== undefined && hits?.some(isSeen) === false) lead(first, false);
  }, [requested]);
  useEffect(
    () => () => {
      store.found.value = undefined;
    },
    [],
  );
  return matches;
}

import type { Signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { largestOf, rowOf } from '../../logic/flame/function-boxes';
import { functionOf } from '../../logic/names/names';
import type { Store } from '../../state/store';
import { isSeen, scrollToBox, type FlameCamera } from './camera';
import { useFlameSearch } from './search';
import type { FlameBoxes } from './use-boxes';

/** Row → 1 if it is marked. */
export interface MarkedBoxes {
  /** Search matches; undefined without a search. */
  readonly matches: Uint8Array | undefined;
  /** Rows of the selected function; undefined without a selection. */
  readonly selected: Uint8Array | undefined;
}

/** Narrowest width of a search match in pixels: after stepping to it, and to be noticed without help. */
const HIT_PIXELS = 160;
const SEEN_PIXELS = 4;

/** Marks search matches and the selected function, and scrolls to them when they change. */
export function useMarkedBoxes(store: Store, { report, layout }: FlameBoxes, camera: FlameCamera, cursor: Signal<number>): MarkedBoxes {
  const matches = useFlameSearch({
    store,
    report,
    layout,
    cursor,
    isSeen: (box) => isSeen(camera, layout, box, SEEN_PIXELS),
    lead: (box, chosen) => {
      cursor.value = box;
      scrollToBox(camera, layout, box, true, HIT_PIXELS);
      if (chosen) store.select(rowOf(report, box));
    },
  });
  const name = store.selected.value;
  const selected = useMemo(
    () => (name === '' ? undefined : Uint8Array.from(report.row, (r) => (functionOf(r) === name ? 1 : 0))),
    [report.row, name],
  );
  // Scrolls to a function that was selected elsewhere, such as in the table.
  useEffect(() => {
    const row = rowOf(report, cursor.peek());
    if (name === '' || (row !== undefined && functionOf(row) === name)) return;
    const box = largestOf(report, layout, name);
    if (box > 0 && !isSeen(camera, layout, box, SEEN_PIXELS)) scrollToBox(camera, layout, box, true, HIT_PIXELS);
  }, [name]);
  return { matches, selected };
}

import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { numberAt } from '../../logic/number-at';
import { largestOf } from '../../logic/flame/function-boxes';
import { boxOfRoot, sameBox } from '../../logic/flame/splice';
import { readSpan } from '../../logic/pan-zoom';
import { param } from '../../logic/url/view-url';
import { FLAME_ROW } from '../../paint/flame/scene';
import type { Store } from '../../state/store';
import { EVERYTHING, isSeen, scrollToBox, type FlameCamera } from './camera';
import type { FlameBoxes } from './use-boxes';

/** Number of callers shown above a zoomed box that was opened by a link. */
const CALLERS_IN_SIGHT = 4;

/** Moves the camera when the report changes: a zoom is animated, more detail changes nothing, another graph resets it. */
export function useFlameTransition(store: Store, boxes: FlameBoxes, camera: FlameCamera, cursor: Signal<number>): void {
  const { report, layout, identity, middle } = boxes;
  const before = useRef<FlameBoxes | undefined>(undefined);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = boxes;
    if (old?.identity === identity) {
      // The same graph with more names or detail: nothing moves.
      cursor.value = middle === '' ? sameBox(old.report, old.layout, cursor.peek(), report, layout) : cursor.peek();
      return;
    }
    const target = readSpan(param(store.url.peek(), 'span')) ?? EVERYTHING;
    const isRelated = old !== undefined && old.middle === '' && middle === '';
    const kept = isRelated ? sameBox(old.report, old.layout, cursor.peek(), report, layout) : -1;
    const [from, to] = camera.span.peek();
    const inside = isRelated ? boxOfRoot(old.report, old.layout, report, layout) : -1;
    const outside = isRelated ? boxOfRoot(report, layout, old.report, old.layout) : -1;
    cursor.value = -1;
    if (isRelated && inside > old.layout.root) {
      const x = numberAt(old.layout.x0, inside);
      const k = 1 / Math.max(1e-12, numberAt(old.layout.x1, inside) - x);
      camera.glide(target, [(from - x) * k, (to - x) * k]);
      cursor.value = kept;
    } else if (outside > layout.root) {
      const x = numberAt(layout.x0, outside);
      const width = numberAt(layout.x1, outside) - x;
      camera.glide(target, [x + from * width, x + to * width]);
      cursor.value = kept;
    } else {
      camera.jump(target);
      // A new graph begins with its first box, or the function in the middle, wherever the old one was scrolled to.
      const first = middle === '' ? layout.root : 0;
      const height = camera.size.peek().height;
      const isLow = (numberAt(layout.row, first) + CALLERS_IN_SIGHT) * FLAME_ROW > height;
      camera.scrollTo(isLow ? centred(numberAt(layout.row, first), middle === '' ? CALLERS_IN_SIGHT * FLAME_ROW : height / 2) : 0);
      // Selected in another view, or by the link that was opened.
      const box = middle === '' && store.search.peek().kind === 'none' ? largestOf(report, layout, store.selected.peek()) : -1;
      if (box > 0) scrollToBox(camera, layout, box, false);
    }
    // The user may have scrolled away: a zoomed box is always shown.
    if (middle === '' && layout.root > 0 && !isSeen(camera, layout, layout.root, 0)) scrollToBox(camera, layout, layout.root, false);
  }, [identity, report, layout]);
}

function centred(row: number, above: number): number {
  return Math.max(0, row * FLAME_ROW - above);
}

import { boxId } from '../../logic/flame/box-id';
import { rowOf, heaviestFunction } from '../../logic/flame/function-boxes';
import { numberAt } from '../../logic/number-at';
import { functionOf } from '../../logic/names/names';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { EVERYTHING, isClose, type FlameCamera } from './camera';
import type { FlameBoxes } from './use-boxes';

/** Zooming in and out. */
export interface FlameZoom {
  /** Shows a function between its callers and callees; without a name the heaviest one. Returns false if there is none. */
  readonly goAround: (name: string) => boolean;
  readonly zoomTo: (box: number) => void;
  /** Zooms out by one step, or completely; returns false if nothing is zoomed. */
  readonly goBack: (all: boolean) => boolean;
}

export function flameZoom(store: Store, { report, layout, middle }: FlameBoxes, camera: FlameCamera): FlameZoom {
  const goAround = (name: string): boolean => {
    const holder = name === '' ? heaviestFunction(report, layout) : undefined;
    const chosen = name || (holder === undefined ? '' : functionOf(holder));
    if (chosen !== '') store.go({ around: chosen, sel: chosen, span: '' });
    return chosen !== '';
  };
  const goBack = (all: boolean): boolean => {
    const zoomed = param(store.url.peek(), 'zoom') !== '';
    if (isClose(camera) && !(all && zoomed)) camera.glide(EVERYTHING);
    else if (param(store.url.peek(), 'around') !== '') store.go({ around: '', span: '' });
    else if (zoomed) store.go({ zoom: all ? '' : boxId(report, layout, layout.root - 1) });
    else return false;
    return true;
  };
  const zoomTo = (box: number): void => {
    const row = rowOf(report, box);
    if (middle !== '') {
      if (row !== undefined && box > 0) goAround(functionOf(row));
    } else if (box === 0) {
      if (param(store.url.peek(), 'zoom') === '') goBack(false);
      else store.go({ zoom: '' });
    } else if (row === undefined) zoomTo(numberAt(layout.parent, box));
    else {
      // The camera moves while the server answers, and ends at the answer's box.
      if (box > layout.root) camera.glide([numberAt(layout.x0, box), numberAt(layout.x1, box)]);
      store.go({ zoom: boxId(report, layout, box), sel: functionOf(row) });
    }
  };
  return { goAround, goBack, zoomTo };
}

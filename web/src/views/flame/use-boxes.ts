import { useEffect, useMemo } from 'preact/hooks';
import type { FlameReport } from '../../api/types';
import { layoutAround } from '../../logic/flame/sandwich';
import { withCallers, type RootedFlame } from '../../logic/flame/callers';
import { layoutFlame, type FlameLayout, type FlameScale } from '../../logic/flame/layout';
import { param } from '../../logic/url/view-url';
import { createFlameAround } from '../../state/flame/sandwich';
import { createFlameDetail, type FlameDetail } from '../../state/flame/detail';
import type { Store } from '../../state/store';

export interface FlameBoxes {
  readonly report: RootedFlame;
  readonly layout: FlameLayout;
  /** Function between its callers and callees; empty: the graph shows all stacks. */
  readonly middle: string;
  /** Whether no shown stack contains the function of the middle. */
  readonly isMissing: boolean;
  /** Identifies the request that the graph answers; the same after more detail is loaded. */
  readonly identity: string;
  readonly detail: FlameDetail;
}

/** The boxes to show: all stacks with their loaded detail, or one function with its callers and callees. */
export function useFlameBoxes(store: Store, answered: FlameReport, scale: FlameScale): FlameBoxes {
  const detail = useMemo(() => createFlameDetail(store.main, store.busy), []);
  const around = useMemo(() => createFlameAround(store.url, store.main, store.busy), []);
  useEffect(
    () => () => {
      detail.dispose();
      around.dispose();
    },
    [],
  );
  const sharp = detail.shown.value?.report;
  const whole = useMemo(() => sharp ?? withCallers(answered), [sharp, answered]);
  const wholeLayout = useMemo(() => layoutFlame(whole, scale), [whole, scale]);
  const trees = around.trees.value;
  const both = useMemo(
    () => (trees?.callees === undefined ? undefined : layoutAround(trees.callers, trees.callees, scale)),
    [trees, scale],
  );
  const path = store.main.shownPath.value;
  const isRequested = param(store.url.value, 'around') !== '';
  if (trees !== undefined && both !== undefined && isRequested)
    return { ...both, middle: trees.name, isMissing: false, identity: `${path} ${scale} ${trees.name}`, detail };
  const isMissing = isRequested && trees !== undefined;
  return { report: whole, layout: wholeLayout, middle: '', isMissing, identity: `${path} ${scale}`, detail };
}

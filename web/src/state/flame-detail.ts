import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { getJson } from '../api/fetch';
import { isReport, type AnyReport } from '../api/guards';
import type { FlameLayout, FlameView } from '../logic/flame-layout';
import { missingDetail, splice, undetailed, type DetailedFlame } from '../logic/flame-splice';
import type { Busy } from './busy';
import type { Pane } from './pane';

/** A flame graph that gets more detail where somebody looks. */
export interface FlameDetail {
  readonly shown: ReadonlySignal<DetailedFlame | undefined>;
  /** Asks for what is missing in the window, one part at a time; another call is due when it came. */
  look(layout: FlameLayout, view: FlameView): void;
  dispose(): void;
}

/** More boxes than this are not kept: the sharp parts are then asked for again. */
const MOST_BOXES = 60_000;

export function createFlameDetail(main: Pane<AnyReport>, busy: Busy): FlameDetail {
  const shown = signal<DetailedFlame | undefined>(undefined);
  const asked = new Set<string>();
  let abort = new AbortController();
  let waiting = false;

  const dispose = effect(() => {
    const report = main.report.value;
    abort.abort();
    abort = new AbortController();
    waiting = false;
    asked.clear();
    shown.value = report?.kind === 'flame' ? undetailed(report) : undefined;
  });

  const ask = async (box: number, id: string, layout: FlameLayout, current: DetailedFlame): Promise<void> => {
    const { signal: stopped } = abort;
    const end = busy.begin();
    waiting = true;
    const answer = await getJson(zoomedPath(main.shownPath.peek(), id), isReport, stopped);
    end();
    // Undefined: the whole graph is another one by now. What the server refuses stays folded.
    if (answer === undefined || stopped.aborted) return;
    waiting = false;
    const part = answer.ok ? answer.value : undefined;
    if (part?.kind !== 'flame' || shown.peek() !== current) return;
    shown.value = splice(current, layout, box, part);
  };

  return {
    shown,
    dispose: () => {
      abort.abort();
      dispose();
    },
    look: (layout, view) => {
      const current = shown.peek();
      if (waiting || current === undefined || current.report.node.length !== layout.n) return;
      const missing = missingDetail(current, layout, view, asked);
      if (missing === undefined || missing.id === '') return;
      const whole = main.report.peek();
      if (layout.n > MOST_BOXES && whole?.kind === 'flame') {
        asked.clear();
        shown.value = undetailed(whole);
        return;
      }
      asked.add(missing.id);
      void ask(missing.box, missing.id, layout, current);
    },
  };
}

/** The question of `path`, about one box of its answer. */
function zoomedPath(path: string, id: string): string {
  const at = path.indexOf('?');
  const params = new URLSearchParams(at < 0 ? '' : path.slice(at));
  params.set('zoom', id);
  return `${at < 0 ? path : path.slice(0, at)}?${params.toString()}`;
}

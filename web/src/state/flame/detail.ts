import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { getJson } from '../../api/fetch';
import { isReport, type AnyReport } from '../../api/guards';
import type { FlameReport } from '../../api/types';
import { sumsById, withCallers, withSums, type SumsById } from '../../logic/flame/callers';
import { layoutFlame, type FlameScale, type FlameView } from '../../logic/flame/layout';
import { missingParts, splice, undetailed, type DetailedFlame } from '../../logic/flame/splice';
import type { Busy } from '../page/busy';
import type { Pane } from '../report/pane';

/** A flame graph with the callers of the zoomed box; detail is loaded for the part in the window. */
export interface FlameDetail {
  readonly shown: ReadonlySignal<DetailedFlame | undefined>;
  /** Whether detail is loading: it is shown at once when complete, or in large parts if that takes long. */
  readonly loading: ReadonlySignal<boolean>;
  /** Asks for what is missing in the window. */
  look(view: FlameView, scale: FlameScale): void;
  dispose(): void;
}

/** Most boxes to keep; beyond this, detail is dropped and requested again. */
const MOST_BOXES = 60_000;
/** Requests at a time, and rounds of requests that follow from answers. */
const MOST_PARTS = 8;
const MOST_ROUNDS = 4;
/** After this, what came is shown while the rest is awaited. */
const PATIENCE_MS = 1000;
/** As the address of the tree names boxes. */
const ID_LENGTH = 8;

export function createFlameDetail(main: Pane<AnyReport>, busy: Busy): FlameDetail {
  const shown = signal<DetailedFlame | undefined>(undefined);
  const loading = signal(false);
  const asked = new Set<string>();
  let abort = new AbortController();
  let sums: SumsById = new Map();
  let wanted: { readonly view: FlameView; readonly scale: FlameScale } | undefined;

  const show = (detailed: DetailedFlame): void => {
    shown.value = { ...detailed, report: withSums(detailed.report, sums) };
  };
  const ask = async (path: string, stopped: AbortSignal): Promise<FlameReport | undefined> => {
    const answer = await getJson(path, isReport, stopped);
    // Undefined: the whole graph is another one by now. What the server refuses stays folded.
    return answer?.ok === true && answer.value.kind === 'flame' ? answer.value : undefined;
  };
  const askSums = async (path: string, ids: readonly string[], stopped: AbortSignal): Promise<void> => {
    const end = busy.begin();
    const open = ids.map((id) => id.slice(0, ID_LENGTH)).join('.');
    const answer = await ask(withParams(path, { zoom: '', open }), stopped);
    end();
    const current = shown.peek();
    if (answer === undefined || stopped.aborted || current === undefined) return;
    sums = sumsById(answer);
    show(current);
  };

  const dispose = effect(() => {
    const report = main.report.value;
    abort.abort();
    abort = new AbortController();
    asked.clear();
    sums = new Map();
    loading.value = false;
    if (report?.kind !== 'flame') {
      shown.value = undefined;
      return;
    }
    shown.value = undetailed(withCallers(report));
    if (report.above_id.length > 0) void askSums(main.shownPath.peek(), report.above_id, abort.signal);
  });

  /** All parts that are missing, and what is missing in those; mostly one update, so that neighbours are equally deep. */
  const sharpen = async (first: DetailedFlame, stopped: AbortSignal): Promise<void> => {
    const path = main.shownPath.peek();
    let [current, shownLast] = [first, first];
    const begun = Date.now();
    for (let round = 0; round < MOST_ROUNDS && wanted !== undefined; round++) {
      const { view, scale } = wanted;
      const layout = layoutFlame(current.report, scale);
      const parts = missingParts(current, layout, view, asked).slice(0, MOST_PARTS);
      if (parts.length === 0) break;
      loading.value = true;
      for (const { id } of parts) asked.add(id);
      const answers = await Promise.all(parts.map(({ id }) => ask(withParams(path, { zoom: id }), stopped)));
      if (stopped.aborted) return;
      parts.forEach(({ box }, i) => {
        const part = answers[i];
        if (part !== undefined) current = splice(current, layout, box, part);
      });
      if (Date.now() - begun < PATIENCE_MS) continue;
      show(current);
      shownLast = current;
    }
    loading.value = false;
    if (current !== shownLast) show(current);
  };

  let running: AbortSignal | undefined;
  const run = async (): Promise<void> => {
    const { signal: stopped } = abort;
    const current = shown.peek();
    const whole = main.report.peek();
    if (current === undefined || whole?.kind !== 'flame') return;
    const tooMany = current.report.node.length > MOST_BOXES;
    if (tooMany) asked.clear();
    running = stopped;
    const end = busy.begin();
    await sharpen(tooMany ? undetailed(withCallers(whole, sums)) : current, stopped);
    end();
    if (running === stopped) running = undefined;
  };

  return {
    shown,
    loading,
    dispose: () => {
      abort.abort();
      dispose();
    },
    look: (view, scale) => {
      wanted = { view, scale };
      // A running request continues for the current window.
      if (running === undefined || running.aborted) void run();
    },
  };
}

/** A path with other parameters; an empty value removes one. */
export function withParams(path: string, patch: Readonly<Record<string, string>>): string {
  const at = path.indexOf('?');
  const params = new URLSearchParams(at < 0 ? '' : path.slice(at));
  for (const [name, value] of Object.entries(patch)) {
    if (value === '') params.delete(name);
    else params.set(name, value);
  }
  return `${at < 0 ? path : path.slice(0, at)}?${params.toString()}`;
}

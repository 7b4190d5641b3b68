import { effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { getJson } from '../../api/fetch';
import { isReport, type AnyReport } from '../../api/guards';
import type { FlameReport } from '../../api/types';
import { sumsById, withCallers, withSums, type SumsById } from '../../logic/flame/callers';
import { layoutFlame, type FlameScale, type FlameView } from '../../logic/flame/layout';
import { missingParts, splice, undetailed, type DetailedFlame } from '../../logic/flame/splice';
import type { Busy } from '../page/busy';
import type { ReportState } from '../report/report-state';

/** A flame graph with the callers of the zoomed box; detail is loaded for the part in the window. */
export interface FlameDetail {
  readonly shown: ReadonlySignal<DetailedFlame | undefined>;
  /** Whether detail is loading: it is shown at once when complete, or in large parts if that takes long. */
  readonly loading: ReadonlySignal<boolean>;
  /** Requests the parts that are missing in the window. */
  look(view: FlameView, scale: FlameScale): void;
  dispose(): void;
}

/** Most boxes to keep; beyond this, detail is dropped and requested again. */
const MOST_BOXES = 60_000;
/** Requests at a time, and rounds of requests that follow from answers. */
const MOST_PARTS = 8;
const MOST_ROUNDS = 4;
/** After this, loaded parts are shown while the rest is awaited. */
const PATIENCE_MS = 1000;
/** Length of the ids of boxes in the parameter `open`. */
const ID_LENGTH = 8;

/** Everything that changes while detail is loaded. */
interface Loading {
  readonly main: ReportState<AnyReport>;
  readonly busy: Busy;
  readonly shown: Signal<DetailedFlame | undefined>;
  readonly loading: Signal<boolean>;
  /** Boxes whose detail was requested. */
  readonly requested: Set<string>;
  /** Aborted when the graph changes. */
  abort: AbortController;
  sums: SumsById;
  wanted: { readonly view: FlameView; readonly scale: FlameScale } | undefined;
  running: AbortSignal | undefined;
}

export function createFlameDetail(main: ReportState<AnyReport>, busy: Busy): FlameDetail {
  const state: Loading = {
    ...{ main, busy, shown: signal(undefined), loading: signal(false), requested: new Set() },
    ...{ abort: new AbortController(), sums: new Map(), wanted: undefined, running: undefined },
  };
  const dispose = effect(() => {
    restart(state, main.report.value);
  });
  return {
    shown: state.shown,
    loading: state.loading,
    dispose: () => {
      state.abort.abort();
      dispose();
    },
    look: (view, scale) => {
      state.wanted = { view, scale };
      // A running request continues for the current window.
      if (state.running === undefined || state.running.aborted) void run(state);
    },
  };
}

/** Begins with the graph as it was answered. */
function restart(state: Loading, report: AnyReport | undefined): void {
  state.abort.abort();
  state.abort = new AbortController();
  state.requested.clear();
  state.sums = new Map();
  state.loading.value = false;
  if (report?.kind !== 'flame') {
    state.shown.value = undefined;
    return;
  }
  state.shown.value = undetailed(withCallers(report));
  if (report.above_id.length > 0) void loadSums(state, report.above_id, state.abort.signal);
}

function show({ shown, sums }: Loading, detailed: DetailedFlame): void {
  shown.value = { ...detailed, report: withSums(detailed.report, sums) };
}

async function getFlame(path: string, stopped: AbortSignal): Promise<FlameReport | undefined> {
  const answer = await getJson(path, isReport, stopped);
  // Undefined: another graph was requested meanwhile. Parts that the server refuses stay folded.
  return answer?.ok === true && answer.value.kind === 'flame' ? answer.value : undefined;
}

/** Loads the totals of the callers of the zoomed box. */
async function loadSums(state: Loading, ids: readonly string[], stopped: AbortSignal): Promise<void> {
  const end = state.busy.begin();
  const open = ids.map((id) => id.slice(0, ID_LENGTH)).join('.');
  const answer = await getFlame(withParams(state.main.shownPath.peek(), { zoom: '', open }), stopped);
  end();
  const current = state.shown.peek();
  if (answer === undefined || stopped.aborted || current === undefined) return;
  state.sums = sumsById(answer);
  show(state, current);
}

/** Loads all missing parts, and what is missing in those; mostly one update, so that neighbours are equally deep. */
async function sharpen(state: Loading, first: DetailedFlame, stopped: AbortSignal): Promise<void> {
  const path = state.main.shownPath.peek();
  let [current, shownLast] = [first, first];
  const begun = Date.now();
  for (let round = 0; round < MOST_ROUNDS && state.wanted !== undefined; round++) {
    const { view, scale } = state.wanted;
    const layout = layoutFlame(current.report, scale);
    const parts = missingParts(current, layout, view, state.requested).slice(0, MOST_PARTS);
    if (parts.length === 0) break;
    state.loading.value = true;
    for (const { id } of parts) state.requested.add(id);
    const answers = await Promise.all(parts.map(({ id }) => getFlame(withParams(path, { zoom: id }), stopped)));
    if (stopped.aborted) return;
    parts.forEach(({ box }, i) => {
      const part = answers[i];
      if (part !== undefined) current = splice(current, layout, box, part);
    });
    if (Date.now() - begun < PATIENCE_MS) continue;
    show(state, current);
    shownLast = current;
  }
  state.loading.value = false;
  if (current !== shownLast) show(state, current);
}

async function run(state: Loading): Promise<void> {
  const { signal: stopped } = state.abort;
  const current = state.shown.peek();
  const whole = state.main.report.peek();
  if (current === undefined || whole?.kind !== 'flame') return;
  const tooMany = current.report.node.length > MOST_BOXES;
  if (tooMany) state.requested.clear();
  state.running = stopped;
  const end = state.busy.begin();
  await sharpen(state, tooMany ? undetailed(withCallers(whole, state.sums)) : current, stopped);
  end();
  if (state.running === stopped) state.running = undefined;
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

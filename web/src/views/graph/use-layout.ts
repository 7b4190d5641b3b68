import { signal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { GraphReport } from '../../api/types';
import { toDot } from '../../logic/graph/dot';
import { readGeometry, type GraphGeometry } from '../../logic/graph/geometry';
import { tooLarge } from '../../logic/graph/walk';
import { edgeText, nodeBox, tagBox, type NodeBox } from '../../logic/graph/node-text';
import type { CharWidths } from '../../logic/text/text-fit';

/** A graph ready to draw: the report with the places of its parts. */
export interface PlacedGraph {
  readonly report: GraphReport;
  readonly nodes: readonly NodeBox[];
  readonly geometry: GraphGeometry;
}

export interface LayoutState {
  readonly placed: PlacedGraph | undefined;
  readonly error: string;
  readonly working: boolean;
  /** Seconds since the layout began. */
  readonly seconds: number;
}

/** Time limit of a layout, in seconds. */
const PATIENCE_S = 60;

/** Computes the layout in a worker; a newer graph ends the work on an older one. The last graph stays meanwhile. */
export function useLayout(
  report: ReadonlySignal<GraphReport | undefined>,
  widths: () => CharWidths,
  begin: () => () => void,
  start: () => Promise<Worker>,
): ReadonlySignal<LayoutState> {
  const state = useMemo(() => signal<LayoutState>({ placed: undefined, error: '', working: false, seconds: 0 }), []);
  useSignalEffect(() => {
    const wanted = report.value;
    if (wanted === undefined) return undefined;
    const refused = tooLarge(wanted);
    if (refused !== '') {
      state.value = { placed: undefined, error: refused, working: false, seconds: 0 };
      return undefined;
    }
    const end = begin();
    const { nodes, dot } = measured(wanted, widths());
    state.value = { ...state.peek(), working: true, seconds: 0 };
    const done = (error: string, json?: unknown): void => {
      const placed = json === undefined ? undefined : { report: wanted, nodes, geometry: readGeometry(json) };
      state.value = { placed, error, working: false, seconds: 0 };
      stop();
    };
    const cancel = runWorker(start, dot, done);
    const clock = setInterval(() => {
      const seconds = state.peek().seconds + 1;
      if (seconds < PATIENCE_S) state.value = { ...state.peek(), seconds };
      else done(`Graphviz did not place ${wanted.row.length} nodes within ${PATIENCE_S} seconds.`);
    }, 1000);
    const stop = (): void => {
      clearInterval(clock);
      cancel();
      end();
    };
    return stop;
  });
  return state;
}

/** Sizes of the nodes, and the graph as Graphviz reads it. */
function measured(report: GraphReport, widths: CharWidths): { readonly nodes: readonly NodeBox[]; readonly dot: string } {
  const nodes = report.row.map((_, i) => nodeBox(report, i, widths));
  const dot = toDot(
    report,
    (i) => nodes[i]?.size ?? { width: 40, height: 20 },
    (tag) => tagBox(report, tag, widths),
    (edge) => edgeText(report, edge, widths).size,
  );
  return { nodes, dot };
}

/** Gives a graph to a new worker, and its answer or an error to `done`, unless the returned function was called before. */
function runWorker(start: () => Promise<Worker>, dot: string, done: (error: string, json?: unknown) => void): () => void {
  let worker: Worker | undefined;
  let isWanted = true;
  const finish: typeof done = (...outcome) => {
    if (isWanted) done(...outcome);
  };
  start().then(
    (started) => {
      worker = started;
      if (!isWanted) {
        started.terminate();
        return;
      }
      started.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const part = (name: string): unknown => (typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined);
        if (part('json') !== undefined) finish('', part('json'));
        else finish(String(part('error') ?? data));
      });
      started.addEventListener('error', (event) => {
        finish(event.message || 'the layout worker could not be started');
      });
      started.postMessage(dot);
    },
    (error: unknown) => {
      finish(error instanceof Error ? error.message : String(error));
    },
  );
  return () => {
    isWanted = false;
    worker?.terminate();
  };
}

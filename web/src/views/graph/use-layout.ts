import { signal, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { GraphReport } from '../../api/types';
import { toDot } from '../../logic/graph/dot';
import { readGeometry, type GraphGeometry } from '../../logic/graph/geometry';
import { tooLarge } from '../../logic/graph/walk';
import { edgeText, nodeBox, tagBox, type NodeBox } from '../../logic/graph/parts';
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

/** Longer than this a layout is given up. */
const PATIENCE_S = 60;

/** Asks the layout worker; a newer graph ends the work on an older one. The last graph stays meanwhile. */
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
    const measured = widths();
    const nodes = wanted.row.map((_, i) => nodeBox(wanted, i, measured));
    const size = (i: number): NodeBox['size'] => nodes[i]?.size ?? { width: 40, height: 20 };
    const dot = toDot(
      wanted,
      size,
      (tag) => tagBox(wanted, tag, measured),
      (edge) => edgeText(wanted, edge, measured).size,
    );
    state.value = { ...state.peek(), working: true, seconds: 0 };
    let [worker, isWanted]: [Worker | undefined, boolean] = [undefined, true];
    const stop = (): void => {
      isWanted = false;
      clearInterval(clock);
      worker?.terminate();
      end();
    };
    const done = (error: string, placed: PlacedGraph | undefined): void => {
      if (isWanted) state.value = { placed, error, working: false, seconds: 0 };
      stop();
    };
    const clock = setInterval(() => {
      const seconds = state.peek().seconds + 1;
      if (seconds < PATIENCE_S) state.value = { ...state.peek(), seconds };
      else done(`Graphviz did not place ${wanted.row.length} nodes within ${PATIENCE_S} seconds.`, undefined);
    }, 1000);
    const listen = (worker: Worker): void => {
      worker.addEventListener('message', (event: MessageEvent<unknown>) => {
        const { data } = event;
        const json: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'json') : undefined;
        if (json !== undefined) done('', { report: wanted, nodes, geometry: readGeometry(json) });
        else done(String(typeof data === 'object' && data !== null ? Reflect.get(data, 'error') : data), undefined);
      });
      worker.addEventListener('error', (event) => {
        done(event.message || 'the layout worker could not be started', undefined);
      });
      worker.postMessage(dot);
    };
    const could = (error: unknown): void => {
      done(error instanceof Error ? error.message : String(error), undefined);
    };
    start().then((started) => {
      worker = started;
      if (isWanted) listen(started);
      else started.terminate();
    }, could);
    return stop;
  });
  return state;
}

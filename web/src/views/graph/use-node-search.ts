import { useComputed, type ReadonlySignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { GraphReport } from '../../api/types';
import { functionOf } from '../../logic/names/names';
import { matchesRow } from '../../logic/names/pattern';
import type { Store } from '../../state/store';

interface Options {
  readonly report: ReadonlySignal<GraphReport | undefined>;
  readonly isSeen: (node: number) => boolean;
  /** Brings a node into the window, and selects it if `chosen`. */
  readonly show: (node: number, chosen: boolean) => void;
}

/** Nodes that the search finds, 1 for each that matches; undefined without a search. Reports them to the search box and steps through them. */
export function useNodeSearch(store: Store, { report, isSeen, show }: Options): ReadonlySignal<Uint8Array | undefined> {
  const matches = useComputed(() => {
    const pattern = store.search.value;
    const shown = report.value;
    return pattern.kind !== 'ok' || shown === undefined
      ? undefined
      : Uint8Array.from(shown.row, (row) => (matchesRow(pattern, row) ? 1 : 0));
  });
  const hits = useComputed(() => [...(matches.value ?? [])].flatMap((hit, node) => (hit === 1 ? [node] : [])));
  const at = hits.value.findIndex((node) => {
    const row = report.value?.row[node];
    return row !== undefined && functionOf(row) === store.selected.value;
  });
  useLayoutEffect(() => {
    const step = (by: 1 | -1): void => {
      const n = hits.value.length;
      const next = at < 0 ? (by > 0 ? 0 : n - 1) : (at + by + n) % n;
      show(hits.value[next] ?? 0, true);
    };
    store.found.value = matches.value === undefined ? undefined : { count: hits.value.length, noun: 'node', at, step };
  }, [matches.value, at]);
  // After a new search at least one match is in the window.
  const searched = useRef(store.search.value);
  useEffect(() => {
    if (searched.current === store.search.value) return;
    searched.current = store.search.value;
    const first = hits.value[0];
    if (first !== undefined && !hits.value.some(isSeen)) show(first, false);
  }, [store.search.value]);
  useEffect(
    () => () => {
      store.found.value = undefined;
    },
    [],
  );
  return matches;
}

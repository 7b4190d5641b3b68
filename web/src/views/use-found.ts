import { useEffect } from 'preact/hooks';
import type { Pattern } from '../logic/pattern';
import type { Store } from '../state/store';

interface Searched {
  /** Rows that the search could find, as a name for each: what the view marks. */
  readonly count: (pattern: Extract<Pattern, { kind: 'ok' }>) => number;
  /** Rows in all. */
  readonly of: number;
  readonly noun: string;
}

/** Tells the search box how many rows of the view match. */
export function useFound(store: Store, { count, of, noun }: Searched, report: unknown): void {
  const pattern = store.search.value;
  useEffect(() => {
    store.found.value = pattern.kind === 'ok' ? { count: count(pattern), of, noun } : undefined;
    return () => {
      store.found.value = undefined;
    };
  }, [pattern, report, of]);
}

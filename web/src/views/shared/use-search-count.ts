import { useEffect } from 'preact/hooks';
import type { Pattern } from '../../logic/names/pattern';
import type { Store } from '../../state/store';

interface Searched {
  /** Rows that match. */
  readonly count: (pattern: Extract<Pattern, { kind: 'ok' }>) => number;
  /** Value of the matches, if it is not the sum of matching stacks. */
  readonly value?: (pattern: Extract<Pattern, { kind: 'ok' }>) => number;
  /** Number of all rows. */
  readonly of: number;
  readonly noun: string;
}

/** Reports to the search box how many rows of the view match. */
export function useSearchCount(store: Store, { count, value, of, noun }: Searched, report: unknown): void {
  const pattern = store.search.value;
  useEffect(() => {
    store.found.value =
      pattern.kind === 'ok' ? { count: count(pattern), of, noun, ...(value === undefined ? {} : { value: value(pattern) }) } : undefined;
    return () => {
      store.found.value = undefined;
    };
  }, [pattern, report, of]);
}

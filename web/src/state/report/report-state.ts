import { batch, effect, signal, type ReadonlySignal } from '@preact/signals';
import { getJson, type Problem } from '../../api/fetch';
import type { Header } from '../../api/types';
import type { Busy } from '../page/busy';

/** A report on the screen, and the state of the next request. */
export interface ReportState<T> {
  /** The last answer; kept while the next one loads. */
  readonly report: ReadonlySignal<T | undefined>;
  /** The path that `report` answers. */
  readonly shownPath: ReadonlySignal<string>;
  readonly problem: ReadonlySignal<Problem | undefined>;
  readonly loading: ReadonlySignal<boolean>;
}

interface WithHeader {
  readonly header: Header;
}

/** Like pprof, the server chooses one unit for a whole table; the page chooses one per number unless the address has a unit. */
function printedIn<T extends WithHeader>(report: T, unit: string): T {
  return { ...report, header: { ...report.header, output_unit: unit } };
}

/**
 * Keeps one request in flight for `path`; undefined asks for nothing. A new path, or a new
 * `generation` of names, asks again. `delay` waits before asking, for paths that follow the keyboard; `unit` is what numbers are to be printed in.
 */
export function createReportState<T extends WithHeader>(
  path: ReadonlySignal<string | undefined>,
  generation: ReadonlySignal<number>,
  is: (body: unknown) => body is T,
  busy: Busy,
  unit: () => string,
  delay = 0,
): ReportState<T> {
  const report = signal<T | undefined>(undefined);
  const shownPath = signal('');
  const problem = signal<Problem | undefined>(undefined);
  const loading = signal(false);

  effect(() => {
    const wanted = path.value;
    void generation.value;
    if (wanted === undefined) {
      batch(() => {
        report.value = undefined;
        shownPath.value = '';
        problem.value = undefined;
        loading.value = false;
      });
      return;
    }
    const abort = new AbortController();
    const end = busy.begin();
    const load = async (): Promise<void> => {
      loading.value = true;
      const answer = await getJson(wanted, is, abort.signal);
      if (answer === undefined) return;
      batch(() => {
        loading.value = false;
        problem.value = answer.ok ? undefined : answer.problem;
        if (answer.ok) {
          report.value = printedIn(answer.value, unit());
          shownPath.value = wanted;
        }
      });
      end();
    };
    const timer = setTimeout(() => {
      void load();
    }, delay);
    return () => {
      clearTimeout(timer);
      abort.abort();
      end();
    };
  });
  return { report, shownPath, problem, loading };
}

import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { getJson } from '../../api/fetch';
import { isReport, type AnyReport } from '../../api/guards';
import type { FlameReport } from '../../api/types';
import { beginningAt } from '../../logic/flame/sandwich';
import { filterPattern, functionPattern } from '../../logic/names/pattern';
import { foldsClosures } from '../../logic/url/show-level';
import { simpleName } from '../../logic/names/simple-name';
import { apiPath, param, type ViewUrl } from '../../logic/url/view-url';
import { ERROR_COLUMNS } from '../report/main-path';
import type { Busy } from '../page/busy';
import type { ReportState } from '../report/report-state';

/** Callers and callees of the function in the middle. */
export interface AroundTrees {
  readonly name: string;
  readonly callers: FlameReport | undefined;
  /** Undefined if no stack of the view contains the function. */
  readonly callees: FlameReport | undefined;
}

export interface FlameAround {
  /** Undefined without a function, and until the first answer. */
  readonly trees: ReadonlySignal<AroundTrees | undefined>;
  dispose(): void;
}

/**
 * Parameters that request the two trees: stacks that begin at the function, and from the leaves those that end there. Where the
 * view folds closures, frames of the function may be closures of it that are called by its name.
 */
export function aroundPaths(url: ViewUrl, name: string): { readonly callers: string; readonly callees: string } {
  const folds = foldsClosures(url);
  const pattern = filterPattern(name, folds);
  const simple = simpleName(name);
  const [focus, from] = [param(url, 'f'), param(url, 'sf')];
  const plain = { ...ERROR_COLUMNS, open: '', zoom: '' };
  return {
    callers: apiPath(url, 'flame', {
      ...plain,
      inverted: 't',
      prunefrom: functionPattern(simple, folds),
      f: focus || pattern,
    }),
    // Stacks must still contain the frame that show_from names.
    callees: apiPath(url, 'flame', { ...plain, inverted: '', sf: pattern, f: focus || from }),
  };
}

/** Requests both trees again whenever the function or the whole graph changes. */
export function createFlameAround(url: ReadonlySignal<ViewUrl>, main: ReportState<AnyReport>, busy: Busy): FlameAround {
  const trees = signal<AroundTrees | undefined>(undefined);
  const name = computed(() => (url.value.view === 'flame' ? param(url.value, 'around') : ''));
  const dispose = effect(() => {
    const middle = name.value;
    // With another filter or more names the whole graph is fetched again.
    void main.report.value;
    if (middle === '') {
      trees.value = undefined;
      return undefined;
    }
    const abort = new AbortController();
    const end = busy.begin();
    const fetchFlame = async (path: string): Promise<FlameReport | undefined> => {
      const answer = await getJson(path, isReport, abort.signal);
      return answer?.ok === true && answer.value.kind === 'flame' ? beginningAt(answer.value, middle) : undefined;
    };
    const both = async (): Promise<void> => {
      const paths = aroundPaths(url.peek(), middle);
      const [callers, callees] = await Promise.all([fetchFlame(paths.callers), fetchFlame(paths.callees)]);
      end();
      if (abort.signal.aborted) return;
      const unit = main.report.peek()?.header.output_unit ?? 'auto';
      const printed = (report: FlameReport | undefined): FlameReport | undefined =>
        report === undefined ? undefined : { ...report, header: { ...report.header, output_unit: unit } };
      trees.value = { name: middle, callers: printed(callers), callees: printed(callees) };
    };
    void both();
    return () => {
      abort.abort();
      end();
    };
  });
  return { trees, dispose };
}

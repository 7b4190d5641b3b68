import { computed, type ReadonlySignal } from '@preact/signals';
import type { Meta } from '../../api/types';
import { presetsOf } from '../../logic/blocks/presets';
import { peekPattern, type Pattern } from '../../logic/names/pattern';
import { seriesLength } from '../../logic/timeline/summary-growth';
import { apiPath, param, type ViewUrl } from '../../logic/url/view-url';
import { ERROR_COLUMNS, mainPath } from './main-path';

interface Options {
  readonly url: ReadonlySignal<ViewUrl>;
  readonly meta: ReadonlySignal<Meta | undefined>;
  /** Why no report is requested: the address is unknown, or no profile is open yet. Empty: reports are requested. */
  readonly blocked: ReadonlySignal<string>;
  readonly search: ReadonlySignal<Pattern>;
  readonly selected: ReadonlySignal<string>;
}

/** API paths of the reports that the page needs; undefined where none is needed. */
export interface ReportPaths {
  /** The report of the view. */
  readonly main: ReadonlySignal<string | undefined>;
  /** Callers and callees of the selected function. */
  readonly details: ReadonlySignal<string | undefined>;
  /** The stacks that pass through a match of the search. */
  readonly matched: ReadonlySignal<string | undefined>;
}

export function createReportPaths({ url, meta, blocked, search, selected }: Options): ReportPaths {
  return {
    main: computed(() => {
      const { view } = url.value;
      // A single dump has no growth.
      if (blocked.value !== '' || (view === 'timeline' && seriesLength(meta.value?.dumps ?? []) < 2)) return undefined;
      // Only tables are sorted by matches: other views stay as they are while the user types.
      const sorts = view === 'top' || view === 'callers' || (view === 'source' && param(url.value, 'list') === '');
      const hasRatios = presetsOf(meta.value).length > 0;
      return mainPath(url.value, sorts ? search.value : { kind: 'none' }, hasRatios);
    }),
    details: computed(() => {
      if (selected.value === '' || blocked.value !== '') return undefined;
      const peek = peekPattern(selected.value);
      const g = param(url.value, 'g') === 'files' ? 'files' : '';
      return apiPath(url.value, 'peek', { peek, n: '', nf: '', ef: '', counts: 't', ...ERROR_COLUMNS, g });
    }),
    // One more filter on the stacks, in a parameter that is free: with focus and show_from taken there is none.
    matched: computed(() => {
      const { value: address } = url;
      const { value: pattern } = search;
      const free = ['f', 'sf'].find((name) => param(address, name) === '');
      const isZoomed = address.view === 'flame' && param(address, 'zoom') !== '';
      if (pattern.kind !== 'ok' || isZoomed || free === undefined || blocked.value !== '') return undefined;
      return apiPath(address, 'top', { [free]: pattern.source, n: '1' });
    }),
  };
}

import { computed, type ReadonlySignal } from '@preact/signals';
import { isTop, type Tagged } from '../../api/guards';
import type { AccessesReport, Meta, PeekReport, SourceReport, TopReport } from '../../api/types';
import { peekName } from '../../logic/names/pattern';
import { apiPath, type ViewUrl } from '../../logic/url/view-url';
import type { Busy } from '../page/busy';
import { createAccesses } from './accesses';
import { createReportState, type ReportState } from './report-state';
import { createSnippet } from './source-snippet';

/** Facts about the selected function besides its callers and callees. */
export interface Selection {
  readonly snippet: ReportState<Tagged<'source', SourceReport>>;
  readonly mainType: ReportState<Tagged<'top', TopReport>>;
  readonly accesses: ReportState<Tagged<'accesses', AccessesReport>>;
}

export function createSelection(
  url: ReadonlySignal<ViewUrl>,
  meta: ReadonlySignal<Meta | undefined>,
  selected: ReadonlySignal<string>,
  details: ReportState<Tagged<'peek', PeekReport>>,
  generation: ReadonlySignal<number>,
  busy: Busy,
  unit: () => string,
): Selection {
  return {
    snippet: createSnippet(url, selected, details, generation, busy, unit),
    accesses: createAccesses(url, meta, selected, generation, busy, unit),
    mainType: createHeldType(url, selected, generation, busy, unit),
  };
}

/** The row of the selected function with its main container type, under the current filters. */
function createHeldType(
  url: ReadonlySignal<ViewUrl>,
  selected: ReadonlySignal<string>,
  generation: ReadonlySignal<number>,
  busy: Busy,
  unit: () => string,
): ReportState<Tagged<'top', TopReport>> {
  const path = computed(() => {
    const name = selected.value;
    if (name === '') return undefined;
    return apiPath(url.value, 'top', { with_type: 't', seek: peekName(name), rows: '0-1', nf: '0', n: '0', sort: '', order: '' });
  });
  return createReportState(path, generation, isTop, busy, unit);
}

import { computed, type ReadonlySignal } from '@preact/signals';
import { isAccesses, type Tagged } from '../../api/guards';
import type { AccessesReport, Meta } from '../../api/types';
import { functionPattern } from '../../logic/names/pattern';
import { foldsClosures } from '../../logic/url/show-level';
import { apiPath, type ViewUrl } from '../../logic/url/view-url';
import type { Busy } from '../page/busy';
import { createReportState, type ReportState } from './report-state';

/** Most sites in the panel. */
const SITES = '4';

/** Accesses of bytes in blocks that are allocated through the selected function. */
export function createAccesses(
  url: ReadonlySignal<ViewUrl>,
  meta: ReadonlySignal<Meta | undefined>,
  selected: ReadonlySignal<string>,
  generation: ReadonlySignal<number>,
  busy: Busy,
  unit: () => string,
): ReportState<Tagged<'accesses', AccessesReport>> {
  const path = computed(() => {
    const name = selected.value;
    if (name === '' || meta.value?.has_accesses !== true) return undefined;
    return apiPath(url.value, 'accesses', { peek: functionPattern(name, foldsClosures(url.value)), n: SITES, g: '' });
  });
  return createReportState(path, generation, isAccesses, busy, unit);
}

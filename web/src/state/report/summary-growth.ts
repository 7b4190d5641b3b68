import { computed, type ReadonlySignal } from '@preact/signals';
import { isGrowth, type Tagged } from '../../api/guards';
import type { GrowthReport, Meta } from '../../api/types';
import { growingPath } from '../../logic/timeline/summary-growth';
import type { ViewUrl } from '../../logic/url/view-url';
import type { Busy } from '../page/busy';
import { createReportState, type ReportState } from './report-state';

export interface GrowingState {
  /** Largest growth of a series, for the summary. */
  readonly growing: ReportState<Tagged<'growth', GrowthReport>>;
}

export function createGrowing(
  url: ReadonlySignal<ViewUrl>,
  blocked: ReadonlySignal<string>,
  meta: ReadonlySignal<Meta | undefined>,
  generation: ReadonlySignal<number>,
  busy: Busy,
  unit: () => string,
): GrowingState {
  const path = computed(() => (blocked.value === '' ? growingPath(url.value, meta.value) : undefined));
  return { growing: createReportState(path, generation, isGrowth, busy, unit) };
}

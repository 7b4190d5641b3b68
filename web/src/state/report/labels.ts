import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { isTags, type Tagged } from '../../api/guards';
import type { Meta, TagsReport } from '../../api/types';
import { withoutLevel } from '../../logic/url/show-level';
import { threadKey } from '../../logic/labels/threads';
import { apiPath, type ViewUrl } from '../../logic/url/view-url';
import type { Busy } from '../page/busy';
import { createReportState, type ReportState } from './report-state';

export interface LabelsState {
  /** Labels with their values, under all filters but those on labels. Requested while their panel is open, or if the summary lists threads. */
  readonly labels: ReportState<Tagged<'tags', TagsReport>>;
  readonly labelsOpen: Signal<boolean>;
}

export function createLabels(
  url: ReadonlySignal<ViewUrl>,
  blocked: ReadonlySignal<string>,
  meta: ReadonlySignal<Meta | undefined>,
  generation: ReadonlySignal<number>,
  busy: Busy,
  unit: () => string,
): LabelsState {
  const labelsOpen = signal(false);
  const isWanted = (): boolean => labelsOpen.value || (url.value.view === 'summary' && threadKey(meta.value?.label_keys ?? []) !== '');
  const path = computed(() =>
    blocked.value === '' && isWanted() ? apiPath(url.value, 'tags', { tf: '', ti: '', ...withoutLevel(url.value) }) : undefined,
  );
  return { labelsOpen, labels: createReportState(path, generation, isTags, busy, unit) };
}

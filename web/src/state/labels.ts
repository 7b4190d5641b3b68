import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { isTags, type Tagged } from '../api/guards';
import type { TagsReport } from '../api/types';
import { apiPath, type ViewUrl } from '../logic/view-url';
import type { Busy } from './busy';
import { createPane, type Pane } from './pane';

export interface LabelsState {
  /** Labels with their weights, once their panel was opened; under all filters but those on labels. */
  readonly labels: Pane<Tagged<'tags', TagsReport>>;
  readonly labelsOpen: Signal<boolean>;
}

export function createLabels(
  url: ReadonlySignal<ViewUrl>,
  blocked: ReadonlySignal<string>,
  generation: ReadonlySignal<number>,
  busy: Busy,
  unit: () => string,
): LabelsState {
  const labelsOpen = signal(false);
  const path = computed(() => (labelsOpen.value && blocked.value === '' ? apiPath(url.value, 'tags', { tf: '', ti: '' }) : undefined));
  return { labelsOpen, labels: createPane(path, generation, isTags, busy, unit) };
}

import { computed, type ReadonlySignal } from '@preact/signals';
import { isTop, type Tagged } from '../api/guards';
import type { PeekReport, SourceReport, TopReport } from '../api/types';
import { peekName } from '../logic/names/pattern';
import { apiPath, type ViewUrl } from '../logic/url/view-url';
import type { Busy } from './busy';
import { createPane, type Pane } from './pane';
import { createSnippet } from './snippet';

/** What is told of the selected function beside its callers and callees. */
export interface OfSelected {
  readonly snippet: Pane<Tagged<'source', SourceReport>>;
  readonly heldType: Pane<Tagged<'top', TopReport>>;
}

export function createOfSelected(
  url: ReadonlySignal<ViewUrl>,
  selected: ReadonlySignal<string>,
  details: Pane<Tagged<'peek', PeekReport>>,
  generation: ReadonlySignal<number>,
  busy: Busy,
  unit: () => string,
): OfSelected {
  return {
    snippet: createSnippet(url, selected, details, generation, busy, unit),
    heldType: createHeldType(url, selected, generation, busy, unit),
  };
}

/** The row of the selected function with the type that most of what it holds is of, under the filters in force. */
function createHeldType(
  url: ReadonlySignal<ViewUrl>,
  selected: ReadonlySignal<string>,
  generation: ReadonlySignal<number>,
  busy: Busy,
  unit: () => string,
): Pane<Tagged<'top', TopReport>> {
  const path = computed(() => {
    const name = selected.value;
    if (name === '') return undefined;
    return apiPath(url.value, 'top', { with_type: 't', seek: peekName(name), rows: '0-1', nf: '0', n: '0', sort: '', order: '' });
  });
  return createPane(path, generation, isTop, busy, unit);
}

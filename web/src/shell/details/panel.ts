import type { Store } from '../../state/store';

/** Whether the details panel is open: with a selection, or if it is pinned. */
export function isPanelOpen({ prefs, selected }: Pick<Store, 'prefs' | 'selected'>): boolean {
  return prefs.panel.value === 'pinned' || (prefs.panel.value === 'auto' && selected.value !== '');
}

/** Hides or shows the details panel. */
export function togglePanel(store: Pick<Store, 'prefs' | 'selected'>): void {
  store.prefs.setPanel(isPanelOpen(store) ? 'closed' : store.selected.peek() === '' ? 'pinned' : 'auto');
}

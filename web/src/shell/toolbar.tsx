import { useEffect, useRef } from 'preact/hooks';
import { TABS, VIEW_LABELS, viewKey, type Patch, type ViewName } from '../logic/url/view-url';
import type { Store } from '../state/store';
import { Dumps } from './menus/dumps';
import { openViewPatch } from '../logic/url/open-view';
import { ViewOptions } from './menus/view-options';

interface Props {
  readonly store: Store;
}

/** Tabs, the dumps that are shown, and view options. */
export function Toolbar({ store }: Props) {
  const url = store.url.value;
  const patchTo = (view: ViewName): Patch => openViewPatch(url, store.selected.value, view);
  const tabs = useRef<HTMLDivElement>(null);
  // On a phone tabs scroll: keeps the current one visible.
  useEffect(() => {
    tabs.current?.querySelector('.tab.on')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [url.view]);
  return (
    <nav class="toolbar" aria-label="Views">
      <div class="tabs" ref={tabs}>
        {TABS.map((view) => (
          <a
            key={view}
            href={store.href(patchTo(view), view)}
            class={view === url.view ? 'tab on' : 'tab'}
            title={`${VIEW_LABELS[view]} (${viewKey(view)})`}
            aria-current={view === url.view ? 'page' : undefined}
            data-view={view}
            onClick={(e) => {
              if (!(e.ctrlKey || e.metaKey || e.shiftKey)) {
                e.preventDefault();
                store.go(patchTo(view), view);
              }
            }}
          >
            {VIEW_LABELS[view]}
          </a>
        ))}
      </div>
      <Dumps store={store} />
      <ViewOptions store={store} />
    </nav>
  );
}

import { useState } from 'preact/hooks';
import { plural } from '../../logic/text/format';
import { viewsFile, type SavedView } from '../../logic/url/saved-views';
import { hrefOf, VIEW_LABELS } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Icon } from '../../ui/icons';
import { PopoverButton } from '../../ui/popover/button';
import { saveText } from './download';

interface Props {
  readonly store: Store;
}

/** Views under a name: kept in this browser, shared as a file. */
export function ViewsMenu({ store }: Props) {
  return (
    <PopoverButton name="views" text="Views">
      {() => <Panel store={store} />}
    </PopoverButton>
  );
}

function Panel({ store }: Props) {
  const [renamed, setRenamed] = useState<string | undefined>(undefined);
  const { saved } = store;
  const views = saved.views.value;
  const add = async (file: File | undefined): Promise<void> => {
    const n = file === undefined ? undefined : saved.add(await file.text());
    if (file !== undefined)
      store.notify(n === undefined ? `${file.name} has no saved views` : `${plural(n, 'view')} read from ${file.name}`);
  };
  return (
    <div class="views-panel" role="dialog" aria-label="Saved views">
      <SaveForm store={store} />
      {views.length === 0 && <p class="hint">No saved views yet. A saved view keeps filters, baseline and zoom, never data.</p>}
      <ul>
        {views.map((view) => (
          <SavedRow key={view.name} store={store} view={view} isRenamed={renamed === view.name} onRename={setRenamed} />
        ))}
      </ul>
      <div class="views-file">
        <button
          type="button"
          disabled={views.length === 0}
          onClick={(e) => {
            saveText(e.currentTarget.ownerDocument, viewsFile(views), 'heapview-views.json', 'application/json');
          }}
        >
          Save as file
        </button>
        <label class="button">
          Open file…
          <input
            type="file"
            class="sr"
            accept=".json,application/json"
            onChange={(e) => {
              void add(e.currentTarget.files?.[0]);
            }}
          />
        </label>
      </div>
    </div>
  );
}

function SaveForm({ store }: Props) {
  const [name, setName] = useState('');
  return (
    <form
      class="views-save"
      onSubmit={(e) => {
        e.preventDefault();
        if (name.trim() === '') return;
        store.notify(`Saved as ${store.saved.save(name.trim(), hrefOf(store.url.peek()))}`);
        setName('');
      }}
    >
      <input
        type="text"
        aria-label="Name for this view"
        placeholder={`Name for this view (${VIEW_LABELS[store.url.value.view]})`}
        maxLength={200}
        value={name}
        onInput={(e) => {
          setName(e.currentTarget.value);
        }}
      />
      <button type="submit">Save</button>
    </form>
  );
}

interface RowProps extends Props {
  readonly view: SavedView;
  /** Its name is being typed. */
  readonly isRenamed: boolean;
  /** Another view is renamed, or none. */
  readonly onRename: (name: string | undefined) => void;
}

function SavedRow({ store, view, isRenamed, onRename }: RowProps) {
  return (
    <li class="views-row">
      {isRenamed ? (
        <input
          type="text"
          aria-label={`New name for ${view.name}`}
          ref={(element) => {
            element?.focus();
          }}
          maxLength={200}
          defaultValue={view.name}
          onKeyDown={(e) => {
            const to = e.currentTarget.value.trim();
            if (e.key !== 'Escape' && e.key !== 'Enter') return;
            if (e.key === 'Enter' && to !== '') store.saved.rename(view.name, to);
            onRename(undefined);
            // Escape ends the renaming only; the panel stays open.
            e.preventDefault();
            e.stopPropagation();
          }}
        />
      ) : (
        <button
          type="button"
          class="views-open"
          title={view.query}
          onClick={() => {
            store.open(view.query);
          }}
        >
          <bdi>{view.name}</bdi>
        </button>
      )}
      <button
        type="button"
        class="link"
        aria-label={`Rename ${view.name}`}
        onClick={() => {
          onRename(view.name);
        }}
      >
        rename
      </button>
      <button
        type="button"
        class="quiet"
        aria-label={`Delete ${view.name}`}
        onClick={() => {
          store.saved.remove(view.name);
        }}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

import { effect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Opened } from '../../api/types';
import { pairOf, patchOf } from '../../logic/dumps';
import { baseName } from '../../logic/names/names';
import { plural } from '../../logic/text/format';
import { sentence } from '../../logic/text/sentence';
import type { Purpose } from '../../state/server/uploads';
import type { Store } from '../../state/store';
import { Icon } from '../../ui/icons';

interface Props {
  readonly store: Store;
}

/** Largest file of saved views, in bytes. */
const MOST_VIEWS = 1 << 20;

/** Stores files of saved views in this browser, uploads the others, and shows what they contain. */
async function open(store: Store, given: readonly File[], purpose: Purpose): Promise<void> {
  const files: File[] = [];
  for (const file of given) {
    const mayBeViews = file.name.endsWith('.json') && file.size <= MOST_VIEWS;
    const n = mayBeViews ? store.saved.add(await file.text()) : undefined;
    if (n === undefined) files.push(file);
    else store.notify(`${plural(n, 'view')} read from ${file.name}: see the Views menu`);
  }
  send(store, files, purpose);
}

function send(store: Store, files: readonly File[], purpose: Purpose): void {
  const meta = store.meta.peek();
  if (files.length === 0 || meta === undefined) return;
  if (!meta.may_open) {
    store.notify(store.browser.kind === 'report' ? 'Report files cannot open other files' : 'This link is read-only: it cannot open files');
    return;
  }
  const [first] = files;
  const name = files.length === 1 ? (first?.name ?? '') : plural(files.length, 'file');
  store.start.confirm(name, (replace) => {
    void store.uploads.open(files, meta.room, replace, (opened) => {
      arrived(store, opened, purpose, replace);
    });
  });
}

function arrived(store: Store, opened: readonly Opened[], purpose: Purpose, replaced: number | undefined): void {
  const dumps = opened.flatMap((file) => file.dumps);
  const fits = opened.flatMap((file) => file.fits);
  const last = dumps.at(-1);
  if (last !== undefined) {
    whenKnown(store, last, replaced, () => {
      // A single dump is shown anyway.
      if (store.meta.peek()?.dumps.length === 1) return;
      const url = store.url.peek();
      const { shown, base } = pairOf(url);
      const next = purpose === 'base' ? { shown, base: String(last) } : { shown: String(last), base };
      store.go(patchOf(url, next));
    });
  }
  if (fits.length === 0) return;
  // Without a server names are there before the page hears of the binary.
  const isDone = store.browser.kind === 'site';
  store.notify(isDone ? `Function names looked up in ${fits.map(baseName).join(', ')}` : `Looking up function names in ${fits.join(', ')}`);
}

/**
 * Acts once the page knows the dump, so that its name is there wherever it is shown. `replaced`: number of the profile whose
 * place was taken.
 */
function whenKnown(store: Store, dump: number, replaced: number | undefined, act: () => void): void {
  const end = store.busy.begin();
  let done = false;
  const stop = effect(() => {
    const meta = store.meta.value;
    if (done || meta === undefined || meta.dumps.length <= dump || (meta.profile_number ?? 0) === replaced) return;
    done = true;
    setTimeout(() => {
      stop();
      act();
      end();
    });
  });
}

interface PickerProps extends Props {
  readonly purpose: Purpose;
  readonly label: string;
  readonly icon?: boolean;
}

/** The browser's own way to choose files, behind a button. */
export function FilePicker({ store, purpose, label, icon = false }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        class={icon ? 'quiet' : ''}
        name={`open-${purpose}`}
        title={label}
        aria-label={label}
        onClick={() => {
          input.current?.click();
        }}
      >
        {icon ? <Icon name="open" /> : label}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-purpose={purpose}
        onChange={(e) => {
          const files = [...(e.currentTarget.files ?? [])];
          // The same file may be chosen again.
          e.currentTarget.value = '';
          void open(store, files, purpose);
        }}
      />
    </>
  );
}

interface DropProps extends Props {
  readonly children: ComponentChildren;
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true;
}

/** Accepts files dropped anywhere: on the left to show them, on the right to compare with them. */
export function DropZone({ store, children }: DropProps) {
  const [over, setOver] = useState<Purpose | undefined>(undefined);
  const side = (event: DragEvent): Purpose => {
    // A file that is dropped on the compare menu becomes the baseline.
    if (event.target instanceof Element && event.target.closest('.dumps-box') !== null) return 'base';
    const target = event.currentTarget;
    const width = target instanceof HTMLElement ? target.clientWidth : 0;
    return event.clientX < width / 2 ? 'show' : 'base';
  };
  const may = store.meta.value?.may_open === true;
  const isFirst = store.start.isShown.value;
  return (
    <div
      class="frame"
      onDragOver={(e) => {
        if (!hasFiles(e)) return;
        e.preventDefault();
        setOver(side(e));
      }}
      onDragLeave={(e) => {
        if (e.relatedTarget === null) setOver(undefined);
      }}
      onDrop={(e) => {
        setOver(undefined);
        if (!hasFiles(e)) return;
        e.preventDefault();
        void open(store, [...(e.dataTransfer?.files ?? [])], isFirst ? 'show' : side(e));
      }}
    >
      {children}
      {over !== undefined && (
        <div class="drop" aria-hidden="true">
          {may && isFirst ? (
            <div class="drop-half on">
              <b>Open</b>
              <span>Heap dumps, and the program that wrote them.</span>
            </div>
          ) : may ? (
            <>
              <div class={over === 'show' ? 'drop-half on' : 'drop-half'}>
                <b>Open</b>
                <span>A profile opens as another dump. A binary gives function names.</span>
              </div>
              <div class={over === 'base' ? 'drop-half on' : 'drop-half'}>
                <b>Compare</b>
                <span>The current dump is compared with this profile.</span>
              </div>
            </>
          ) : (
            <Closed inFile={store.browser.kind === 'report'} />
          )}
        </div>
      )}
    </div>
  );
}

/** Files that are dropped here do not open. */
function Closed({ inFile }: { readonly inFile: boolean }) {
  return (
    <div class="drop-half">
      <b>{inFile ? 'This is a report file' : 'This link is read-only'}</b>
      <span>{inFile ? 'To open profiles, run heapview.' : 'Only the owner of this server can open files.'}</span>
    </div>
  );
}

/** Files being opened, and those that could not be. */
export function OpeningFiles({ store }: Props) {
  const uploads = store.uploads.current.value;
  const failed = uploads.some((file) => file.problem !== '');
  const isOpening = uploads.some((file) => file.problem === '');
  return (
    <div class={uploads.length === 0 ? 'opening' : 'opening on'} role="status" aria-label="Opening files">
      <ul>
        {uploads.map((file) => (
          <li key={file.id} class={file.problem === '' ? '' : 'failed'}>
            {!file.problem.includes(file.name) && <bdi class="mono">{file.name}</bdi>}
            {file.share !== undefined && (
              <>
                <progress
                  max={1}
                  value={file.share === 0 && file.what !== '' ? undefined : file.share}
                  aria-label={`Opening ${file.name}`}
                />
                <span class="muted">{file.what === '' ? `${Math.floor(file.share * 100)}%` : file.what}</span>
              </>
            )}
            {file.problem !== '' && <bdi>{sentence(file.problem)}</bdi>}
          </li>
        ))}
      </ul>
      {isOpening && store.browser.kind === 'site' && (
        <button type="button" name="cancel-opening" onClick={store.uploads.cancel}>
          Cancel
        </button>
      )}
      {failed && (
        <button type="button" onClick={store.uploads.dismiss}>
          Dismiss
        </button>
      )}
    </div>
  );
}

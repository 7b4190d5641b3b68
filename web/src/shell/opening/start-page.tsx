import { useEffect } from 'preact/hooks';
import type { Meta, StartEntry } from '../../api/types';
import { baseName } from '../../logic/names/names';
import { formatTime, formatValue, plural } from '../../logic/text/format';
import { sentence } from '../../logic/text/sentence';
import { hrefOf } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Icon, Mark } from '../../ui/icons';
import { FilePicker, OpeningFiles } from './files';
import { ReplaceDialog } from './replace-dialog';

interface Props {
  readonly store: Store;
}

/** Start page, shown while no profile is open or to replace the open one: drop a file, or choose a listed one. */
export function StartPage({ store }: Props) {
  const meta = store.meta.value;
  const mayOpen = meta?.may_open === true;
  useEffect(() => {
    if (mayOpen) void store.start.ask();
  }, [mayOpen]);
  const waiting = meta?.waiting ?? '';
  return (
    <main class="start">
      <div class="start-body">
        <h1>
          <Mark />
          heapview
        </h1>
        {waiting !== '' && (
          <p class="start-waiting" role="status">
            <span class="start-pulse" aria-hidden="true" />
            <bdi>{waiting}</bdi>
          </p>
        )}
        {meta !== undefined && meta.dumps.length > 0 && <IsOpen store={store} meta={meta} />}
        {mayOpen ? <Choices store={store} /> : <p>No profile is open yet. This page continues by itself when the owner opens one.</p>}
      </div>
    </main>
  );
}

/** The open profile in words: `shop (3 dumps)`. */
function openName({ file, dumps }: Meta): string {
  const name = file === '' ? baseName(dumps[0]?.name ?? '') : file;
  return dumps.length > 1 ? `${name} (${plural(dumps.length, 'dump')})` : name;
}

function IsOpen({ store, meta }: Props & { readonly meta: Meta }) {
  const name = openName(meta);
  return (
    <>
      <p class="start-open">
        <span>
          <b>
            <bdi>{name}</bdi>
          </b>{' '}
          is open. Another profile takes its place; to compare two dumps, go back and drop the second one on the page.
        </span>
        <button
          type="button"
          class="primary"
          name="back"
          onClick={() => {
            store.open(hrefOf(store.url.peek()));
          }}
        >
          Back to {meta.file === '' ? 'the profile' : <bdi>{meta.file}</bdi>}
        </button>
      </p>
      <ReplaceDialog store={store} open={name} />
    </>
  );
}

function Choices({ store }: Props) {
  const list = store.start.list.value;
  const problem = store.start.problem.value;
  return (
    <>
      <section class="start-drop" aria-label="Open files">
        <Icon name="open" />
        <p>
          <b>Drop a heap dump here, with the program that wrote it</b>
        </p>
        <p class="muted">
          gperftools, jemalloc, Go and pprof heap profiles. The program gives function names.{' '}
          {store.browser.kind === 'server'
            ? 'Files are read by this heapview server only.'
            : 'Files are read in this browser; nothing is sent anywhere.'}
        </p>
        <FilePicker store={store} purpose="show" label="Choose files…" />
      </section>
      <OpeningFiles store={store} />
      {problem !== '' && (
        <p class="start-problem" role="alert">
          <Icon name="warning" />
          <bdi>{sentence(problem)}</bdi>
        </p>
      )}
      {list !== undefined && (
        <>
          <Entries store={store} title="Recent" entries={list.recent} canClear />
          <Entries store={store} title="In this folder" folder={list.folder} entries={list.here} isCut={list.is_cut} />
        </>
      )}
      {store.browser.kind === 'site' && <InBrowser />}
      {list !== undefined && list.here.length === 0 && list.recent.length === 0 && <HowTo site={store.browser.kind === 'site'} />}
    </>
  );
}

interface EntriesProps extends Props {
  readonly title: string;
  readonly folder?: string;
  readonly entries: readonly StartEntry[];
  readonly isCut?: boolean;
  readonly canClear?: boolean;
}

function Entries({ store, title, folder = '', entries, isCut = false, canClear = false }: EntriesProps) {
  if (entries.length === 0) return null;
  const opening = store.start.opening.value;
  return (
    <section class="start-list" aria-label={title}>
      <h2>
        {title}
        {folder !== '' && <bdi class="muted mono">{folder}</bdi>}
        {canClear && (
          <button
            type="button"
            class="link"
            name="clear-recent"
            title="Forget these files; they are not deleted"
            onClick={() => void store.start.clearRecent()}
          >
            Clear list
          </button>
        )}
      </h2>
      <ul>
        {entries.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              disabled={opening !== ''}
              aria-busy={opening === entry.id}
              onClick={() => {
                store.start.open(entry);
              }}
            >
              <bdi class="mono">{entry.name}</bdi>
              <span class="muted">{opening === entry.id ? 'opening…' : details(entry)}</span>
            </button>
          </li>
        ))}
      </ul>
      {isCut && <p class="muted">The folder has more files. Name them on the command line, or drop them here.</p>}
    </section>
  );
}

/** `3 dumps · 1.20 MiB · 2026-11-22 10:00:00`. */
function details({ n_dumps, bytes, time_nanos, folder }: StartEntry): string {
  const parts = [n_dumps > 1 ? plural(n_dumps, 'dump') : '', bytes > 0 ? formatValue(bytes, 'bytes') : '', folder, formatTime(time_nanos)];
  return parts.filter((part) => part !== '').join(' · ');
}

/** What the page does without a server, and what it cannot do. */
function InBrowser() {
  return (
    <section class="start-list start-notes" aria-label="In the browser">
      <h2>In the browser</h2>
      <ul>
        <li>
          Drop what belongs together: dumps of a series, the program and its libraries, separate debug files (<code>.debug</code>,{' '}
          <code>.dwp</code>). Reports that heapview wrote open, too.
        </li>
        <li>Files on this disk are not searched, and debuginfod is not asked: names come from the binaries that are dropped.</li>
        <li>
          Source lines and machine code are shown by <code>heapview -http=: PROGRAM DUMP</code>, and in reports that have them.
        </li>
      </ul>
    </section>
  );
}

const WAYS = [
  ['jemalloc', 'MALLOC_CONF=prof:true,prof_final:true ./program'],
  ['gperftools', 'LD_PRELOAD=libtcmalloc.so HEAPPROFILE=/tmp/program ./program'],
  ['Go', 'heapview -http=: ./program http://localhost:6060/debug/pprof/heap'],
] as const;

/** Commands that leave a file: there is no program heapview that could fetch one. */
const SITE_WAYS = [WAYS[0], WAYS[1], ['Go', 'curl -o heap.pb.gz http://localhost:6060/debug/pprof/heap']] as const;

function HowTo({ site }: { readonly site: boolean }) {
  return (
    <section class="start-list" aria-label="How to make a dump">
      <h2>How to make a dump</h2>
      <dl>
        {(site ? SITE_WAYS : WAYS).map(([name, command]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="mono">{command}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

import { useEffect, useState } from 'preact/hooks';
import type { Share as ShareInfo } from '../api/types';
import { withDumpNames } from '../logic/url/link-dumps';
import { reportHref } from '../logic/url/downloads';
import { hrefOf } from '../logic/url/view-url';
import type { Store } from '../state/store';
import { Dialog } from '../ui/dialog';

interface Props {
  readonly store: Store;
}

/** Links to this view, for this browser and for others, and the view as a file. */
export function Share({ store }: Props) {
  const [share, setShare] = useState<ShareInfo | undefined>(undefined);
  const open = store.sharing.open.value;
  const { kind } = store.browser;
  useEffect(() => {
    if (open && kind === 'server') void store.sharing.ask(store.url.peek()).then(setShare);
  }, [open]);
  const close = (): void => {
    store.sharing.open.value = false;
  };
  return (
    <Dialog open={open} class="share" titleId="share-title" title="Share this view" onClose={close}>
      {() =>
        kind === 'report' ? (
          <ShareFile store={store} />
        ) : kind === 'site' ? (
          <ShareSite store={store} />
        ) : (
          <>
            <ShareLinks store={store} share={share} />
            {store.meta.value?.may_open === true && <ShareReport store={store} command={share?.command ?? ''} />}
          </>
        )
      }
    </Dialog>
  );
}

/** Links for this browser and for others, or how to get one. */
function ShareLinks({ store, share }: Props & { readonly share: ShareInfo | undefined }) {
  // Dumps by name, too: elsewhere, or after a restart, other files may be open.
  const href = hrefOf(withDumpNames(store.url.value, store.meta.value?.dumps ?? []));
  const token = share === undefined || share.token === '' ? '' : `${href.includes('?') ? '&' : '?'}token=${share.token}`;
  return (
    <>
      <p>The link includes the view, filters, base, zoom and selection.</p>
      <Line store={store} label={store.browser.home === '' ? 'On this machine' : 'Link to this view'} text={store.browser.absolute(href)} />
      {store.browser.home !== '' && <ShortLink key={href} store={store} address={store.browser.link(href)} />}
      {share !== undefined && share.addresses.length > 0 && (
        <>
          <h3>For others (read-only)</h3>
          {share.addresses.map((address) => (
            <Line key={address} store={store} label="Link for others" text={`${address}${href}${token}`} />
          ))}
          <p class="muted">
            Anyone with this link can see the profile and its source lines until heapview exits
            {share.token === '' ? ', and can open files, because heapview was started with -no_token' : ''}.
          </p>
        </>
      )}
      {share !== undefined && share.command !== '' && (
        <>
          <h3>For others</h3>
          <p>This server is local. Restart it with this command to get a read-only link:</p>
          <Line store={store} label="Command that shares" text={share.command} />
        </>
      )}
    </>
  );
}

/** Links with filters are long: a team server makes short ones, of paths: it may be known by other names than this page's. */
function ShortLink({ store, address }: Props & { readonly address: string }) {
  const [short, setShort] = useState('');
  const make = async (): Promise<void> => {
    const link = await store.sharing.shorten(address);
    if (link === undefined) store.notify('The server made no short link; use the long one.');
    else setShort(link);
  };
  return short === '' ? (
    <button type="button" onClick={() => void make()}>
      Make a short link
    </button>
  ) : (
    <Line store={store} label="Short link" text={short} />
  );
}

function ShareReport({ store, command }: Props & { readonly command: string }) {
  return (
    <>
      <h3>As a file</h3>
      <p>One HTML file with this view and its source lines. It opens anywhere, without heapview.</p>
      <div class="share-ways">
        <a class="button" href={reportHref(store.url.value)} download>
          Download HTML report
        </a>
      </div>
      {command !== '' && <Line store={store} label="Command that exports" text={exportCommand(command)} />}
    </>
  );
}

/** The command that exports the view with its source lines, from the command that shares it. */
function exportCommand(command: string): string {
  return `${command.replace(/^heapview -http=\S+/, 'heapview export -with-sources').replace(' -no_browser', '')} -o report.html`;
}

/** Links to a file on this disk do not work elsewhere: the file itself is shared. */
function ShareFile({ store }: Props) {
  return (
    <>
      <p>Send this file. It contains the page and its data, opens in any browser without heapview, and needs no network.</p>
      <p>To open it at this view, append this to the file’s address:</p>
      <Line store={store} label="Append to the file’s address" text={store.browser.link(hrefOf(store.url.value))} />
    </>
  );
}

/** The files are in this browser only: a link names a view of them. */
function ShareSite({ store }: Props) {
  const href = hrefOf(withDumpNames(store.url.value, store.meta.value?.dumps ?? []));
  return (
    <>
      <p>
        Files that were dropped here are in this browser only. The link includes the view, filters, base, zoom and selection, with names of
        functions in them. To see it, drop the same files there.
      </p>
      <Line store={store} label="Link to this view" text={store.browser.absolute(href)} />
      <h3>With the profile</h3>
      <p>
        Download → HTML report makes one file with the page and its data; it opens anywhere. One with source lines is made by this command:
      </p>
      <Line store={store} label="Command that exports" text="heapview export -with-sources BINARY DUMP -o report.html" />
    </>
  );
}

interface LineProps extends Props {
  readonly label: string;
  readonly text: string;
}

function Line({ store, label, text }: LineProps) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    setCopied(await store.browser.copy(text));
  };
  return (
    <div class="share-line">
      <input
        class="mono"
        type="text"
        readOnly
        aria-label={label}
        value={text}
        onFocus={(e) => {
          e.currentTarget.select();
        }}
      />
      <button type="button" aria-label={`Copy: ${label}`} onClick={() => void copy()}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

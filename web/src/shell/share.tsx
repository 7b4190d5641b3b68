import { useEffect, useRef, useState } from 'preact/hooks';
import type { Share as ShareInfo } from '../api/types';
import { withDumpNames } from '../logic/url/link-dumps';
import { reportHref } from '../logic/url/downloads';
import { hrefOf } from '../logic/url/view-url';
import type { Store } from '../state/store';
import { Icon } from '../ui/icons';

interface Props {
  readonly store: Store;
}

/** A link to this very view, for this browser and for others. */
export function Share({ store }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [share, setShare] = useState<ShareInfo | undefined>(undefined);
  const open = store.sharing.open.value;
  const close = (): void => {
    store.sharing.open.value = false;
  };
  useEffect(() => {
    const element = dialog.current;
    if (!open) {
      if (element?.open === true) element.close();
      return;
    }
    if (element?.open === false) element.showModal();
    if (!store.browser.inFile) void store.sharing.ask(store.url.peek()).then(setShare);
  }, [open]);
  // By name, too: elsewhere, or after a restart, other files may be open.
  const href = hrefOf(withDumpNames(store.url.value, store.meta.value?.dumps ?? []));
  const token = share === undefined || share.token === '' ? '' : `${href.includes('?') ? '&' : '?'}token=${share.token}`;
  return (
    <dialog
      ref={dialog}
      class="help share"
      aria-labelledby="share-title"
      onClose={close}
      onClick={(e) => {
        if (e.target === e.currentTarget) close();
      }}
    >
      {open && (
        <div class="help-body">
          <header>
            <h2 id="share-title">Share this view</h2>
            <button type="button" class="quiet" aria-label="Close" onClick={close}>
              <Icon name="close" />
            </button>
          </header>
          {store.browser.inFile ? <ShareFile store={store} /> : <p>The link includes the view, filters, base, zoom and selection.</p>}
          {!store.browser.inFile && <Line store={store} label="On this machine" text={store.browser.absolute(href)} />}
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
          {store.meta.value?.may_open === true && (
            <>
              <h3>As a file</h3>
              <p>One HTML file with this view and its source lines. It opens anywhere, without heapview.</p>
              <div class="share-ways">
                <a class="button" href={reportHref(store.url.value)} download>
                  Download HTML report
                </a>
              </div>
              {share !== undefined && share.command !== '' && (
                <Line store={store} label="Command that exports" text={exportCommand(share.command)} />
              )}
            </>
          )}
        </div>
      )}
    </dialog>
  );
}

/** The same as a command: the file has source lines, too. */
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

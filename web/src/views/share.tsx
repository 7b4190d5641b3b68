import { useEffect, useRef, useState } from 'preact/hooks';
import type { Share as ShareInfo } from '../api/types';
import { hrefOf } from '../logic/view-url';
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
    if (!store.browser.inFile) void store.sharing.ask().then(setShare);
  }, [open]);
  const href = hrefOf(store.url.value);
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
          {store.browser.inFile ? <ShareFile store={store} /> : <p>The link holds all of it: view, filters, base, zoom, selection.</p>}
          {!store.browser.inFile && <Line store={store} label="On this machine" text={store.browser.absolute(href)} />}
          {share !== undefined && share.addresses.length > 0 && (
            <>
              <h3>For others, to look only</h3>
              {share.addresses.map((address) => (
                <Line key={address} store={store} label="Link for others" text={`${address}${href}${token}`} />
              ))}
              <p class="muted">
                Whoever has the link can see the profile and the sources it leads to, until heapview ends
                {share.token === '' ? ', and may open files: it was started with -no_token' : ''}.
              </p>
            </>
          )}
          {share !== undefined && share.addresses.length === 0 && (
            <>
              <h3>For others</h3>
              <p>Only this machine reaches the server. Start it so that others do; it then prints links with a token to look only:</p>
              <Line store={store} label="Command that shares" text={share.command} />
              <p>Or write one file that opens anywhere, without a server:</p>
              <Line
                store={store}
                label="Command that exports"
                text={share.command.replace(/^heapview -http=\S+/, 'heapview export').replace(' -no_browser', '') + ' -o report.html'}
              />
            </>
          )}
        </div>
      )}
    </dialog>
  );
}

/** Links to a file on this disk help nobody else: the file is what to send. */
function ShareFile({ store }: Props) {
  return (
    <>
      <p>Send this file: page and data are in it, and it opens in any browser without heapview. Nothing in it asks a server.</p>
      <p>It opens at its first view. To lead to this one, say what belongs behind the file’s name in the address bar:</p>
      <Line store={store} label="Behind the file’s name" text={store.browser.link(hrefOf(store.url.value))} />
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

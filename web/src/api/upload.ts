import { isStartList } from './guards';
import type { Opened, StartList } from './types';

/** Requests that open or close profiles; failures are values, never exceptions. */

export type Sent<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string; readonly hint: string };

function isOpened(body: unknown): body is Opened {
  return typeof body === 'object' && body !== null && 'dumps' in body && 'fits' in body && 'notes' in body;
}

function text(body: unknown, key: string): string {
  const found: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  return typeof found === 'string' ? found : '';
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** What is heard while files are opened. */
export interface OpeningEvents {
  /** `share`: how far the file is, 0 … 1; `what`: what is done now, a few words; empty while it is sent. */
  readonly onProgress: (file: File, share: number, what: string) => void;
  /** The file is open, or is not; called once for each file. */
  readonly onEnd: (file: File, sent: Sent<Opened>) => void;
}

/**
 * Opens files. `replace`: number of the profile whose place the first one takes; undefined: they open beside it. `signal` cancels:
 * files that are not open yet end with a failure.
 */
export type OpenFiles = (files: readonly File[], replace: number | undefined, events: OpeningEvents, signal: AbortSignal) => Promise<void>;

/** Uploads the files one after another by POST. */
const upload: OpenFiles = async (files, replace, { onProgress, onEnd }, signal) => {
  let isFirst = true;
  for (const file of files) {
    const path: string = `/api/v1/files?name=${encodeURIComponent(file.name)}${replacing(isFirst ? replace : undefined)}`;
    const content: Upload = {
      file,
      onShare: (share) => {
        onProgress(file, share, share < 1 ? '' : 'reading');
      },
      signal,
    };
    const sent: Sent<Opened> = await send('POST', path, isOpened, content);
    isFirst &&= !sent.ok;
    onEnd(file, sent);
  }
};

let open = upload;

/** Lets `instead` open files without a server. */
export function openInstead(instead: OpenFiles): void {
  open = instead;
}

export const openFiles: OpenFiles = (...given) => open(...given);

/** Opens an entry of the start page's list, in place of the profile with the number `replace` if there is one. */
export function openListed(id: string, replace: number | undefined): Promise<Sent<Opened>> {
  return send('POST', `/api/v1/start?id=${encodeURIComponent(id)}${replacing(replace)}`, isOpened);
}

function replacing(replace: number | undefined): string {
  return replace === undefined ? '' : `&replace=${replace}`;
}

/** Forgets recent files; the answer is the list of the start page without them. */
export function clearRecent(): Promise<Sent<StartList>> {
  return send('DELETE', '/api/v1/start/recent', isStartList);
}

interface Upload {
  readonly file: File;
  /** Gets the share that was sent, 0 … 1; fetch does not report progress. */
  readonly onShare: (share: number) => void;
  readonly signal: AbortSignal;
}

function send<T>(method: 'POST' | 'DELETE', path: string, is: (body: unknown) => body is T, upload?: Upload): Promise<Sent<T>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.setRequestHeader('x-heapview', '1');
    request.upload.addEventListener('progress', (event) => {
      upload?.onShare(event.total === 0 ? 1 : event.loaded / event.total);
    });
    request.addEventListener('load', () => {
      const answer = parse(request.responseText);
      if (request.status === 200 && is(answer)) resolve({ ok: true, value: answer });
      else resolve({ ok: false, message: text(answer, 'error') || `the server answered ${request.status}`, hint: text(answer, 'hint') });
    });
    const fail = (message: string): void => {
      resolve({ ok: false, message, hint: '' });
    };
    request.addEventListener('error', () => {
      fail(
        upload === undefined
          ? 'the server does not answer'
          : 'it could not be sent: it is a folder, it cannot be read, or the server stopped',
      );
    });
    request.addEventListener('abort', () => {
      fail('cancelled');
    });
    upload?.signal.addEventListener('abort', () => {
      request.abort();
    });
    if (upload?.signal.aborted === true) fail('cancelled');
    else request.send(upload?.file ?? null);
  });
}

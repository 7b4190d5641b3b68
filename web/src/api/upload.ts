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

/**
 * Uploads a file by POST; `onShare` gets the share that was sent, 0 … 1. Fetch does not report progress.
 * `replace`: number of the profile whose place it takes; undefined: it opens beside it.
 */
export function sendFile(file: File, replace: number | undefined, onShare: (share: number) => void): Promise<Sent<Opened>> {
  return send('POST', `/api/v1/files?name=${encodeURIComponent(file.name)}${replacing(replace)}`, isOpened, file, onShare);
}

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

function send<T>(
  method: 'POST' | 'DELETE',
  path: string,
  is: (body: unknown) => body is T,
  file?: File,
  onShare: (share: number) => void = () => undefined,
): Promise<Sent<T>> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.setRequestHeader('x-heapview', '1');
    request.upload.addEventListener('progress', (event) => {
      onShare(event.total === 0 ? 1 : event.loaded / event.total);
    });
    request.addEventListener('load', () => {
      const answer = parse(request.responseText);
      if (request.status === 200 && is(answer)) resolve({ ok: true, value: answer });
      else resolve({ ok: false, message: text(answer, 'error') || `the server answered ${request.status}`, hint: text(answer, 'hint') });
    });
    request.addEventListener('error', () => {
      const message =
        file === undefined
          ? 'the server does not answer'
          : 'it could not be sent: it is a folder, it cannot be read, or the server stopped';
      resolve({ ok: false, message, hint: '' });
    });
    request.send(file ?? null);
  });
}

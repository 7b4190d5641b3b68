import type { Opened } from './types';

/** Sends files to be opened; answers are values, never exceptions. */

export type Sent = { readonly ok: true; readonly opened: Opened } | { readonly ok: false; readonly message: string; readonly hint: string };

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

/** POST of a file; `onShare` hears how much of it was sent, of 1. Fetch would not tell that. */
export function sendFile(file: File, onShare: (share: number) => void): Promise<Sent> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/v1/files?name=${encodeURIComponent(file.name)}`);
    request.setRequestHeader('x-heapview', '1');
    request.upload.addEventListener('progress', (event) => {
      onShare(event.total === 0 ? 1 : event.loaded / event.total);
    });
    request.addEventListener('load', () => {
      const body = parse(request.responseText);
      if (request.status === 200 && isOpened(body)) resolve({ ok: true, opened: body });
      else resolve({ ok: false, message: text(body, 'error') || `the server answered ${request.status}`, hint: text(body, 'hint') });
    });
    request.addEventListener('error', () => {
      resolve({ ok: false, message: 'it could not be sent: a folder, or a file that cannot be read, or the server is gone', hint: '' });
    });
    request.send(file);
  });
}

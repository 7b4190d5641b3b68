/** Requests to the server; failures are values, never exceptions. */

/** Why a request failed, with a message for the user. */
export interface Problem {
  readonly kind: 'refused' | 'unreachable' | 'unreadable';
  readonly status: number;
  readonly message: string;
  readonly field: string;
  readonly hint: string;
  /** Parameters of the address that no report has. */
  readonly unknown: readonly string[];
}

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

function text(body: unknown, key: string): string {
  const found: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  return typeof found === 'string' ? found : '';
}

function texts(body: unknown, key: string): readonly string[] {
  const found: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
}

function failed<T>(problem: Partial<Problem> & Pick<Problem, 'kind' | 'message'>): Answer<T> {
  return { ok: false, problem: { status: 0, field: '', hint: '', unknown: [], ...problem } };
}

function refused<T>(path: string, status: number, body: unknown): Answer<T> {
  return failed({
    kind: 'refused',
    status,
    message: text(body, 'error') || `The server answered ${status} to ${path.split('?', 1)[0] ?? path}.`,
    field: text(body, 'field'),
    hint: text(body, 'hint'),
    unknown: texts(body, 'unknown'),
  });
}

function unanswered<T>(error: unknown): Answer<T> {
  if (!hasServer)
    return failed({ kind: 'unreadable', message: `This file cannot answer: ${error instanceof Error ? error.message : String(error)}` });
  return failed({
    kind: 'unreachable',
    message: 'The heapview server does not answer. This page reconnects when it is back.',
  });
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/** GET of a path; rejects like `fetch`. */
export type Ask = (path: string, signal: AbortSignal) => Promise<Response>;

let hasServer = true;
let prefix = '';
let ask: Ask = (path, signal) => fetch(prefix + path, { signal, headers: { accept: 'application/json' } });

/** Lets all paths begin with `start`, for one of several profiles of a server. */
export function askBelow(start: string): void {
  prefix = start;
}

/** Lets `answer` replace the server, for report files. */
export function askInstead(answer: Ask): void {
  ask = answer;
  hasServer = false;
}

/** GET of JSON; undefined if aborted. `is` checks the type of the answer. */
export async function getJson<T>(path: string, is: (body: unknown) => body is T, signal: AbortSignal): Promise<Answer<T> | undefined> {
  try {
    const response = await ask(path, signal);
    const { status } = response;
    const body = await readBody(response);
    if (signal.aborted) return undefined;
    if (!response.ok) return refused(path, status, body);
    if (!is(body))
      return failed({
        kind: 'unreadable',
        status,
        message: 'The server’s answer is not a report this page knows. It may be older or newer than the server: reload the page.',
      });
    return { ok: true, value: body };
  } catch (error) {
    return signal.aborted ? undefined : unanswered(error);
  }
}

/** GET of a text; undefined if there is none. */
export async function getText(path: string): Promise<string | undefined> {
  const answer = await getFile(path);
  return answer.ok ? answer.value.blob.text() : undefined;
}

/** A short link to a path, with its query, of a team server; undefined: it makes none. */
export async function shorten(address: string): Promise<string | undefined> {
  try {
    const response = await fetch('/api/v1/links', { method: 'POST', body: address });
    return response.ok ? (await response.text()).trim() : undefined;
  } catch {
    return undefined;
  }
}

/** A file to save. */
export interface NamedBlob {
  /** Empty: the answer names none. */
  readonly name: string;
  readonly blob: Blob;
}

/** GET of a file, whole. */
export async function getFile(path: string): Promise<Answer<NamedBlob>> {
  try {
    const response = await ask(path, new AbortController().signal);
    if (!response.ok) return refused(path, response.status, await readBody(response));
    const name = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '';
    return { ok: true, value: { name, blob: await response.blob() } };
  } catch (error) {
    return unanswered(error);
  }
}

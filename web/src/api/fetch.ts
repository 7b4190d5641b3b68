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

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/** Status and body of an answer. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}
export type Ask = (path: string, signal: AbortSignal) => Promise<Reply>;

let hasServer = true;
let ask: Ask = async (path, signal) => {
  const response = await fetch(path, { signal, headers: { accept: 'application/json' } });
  return { status: response.status, body: await readBody(response) };
};

/** Lets `answer` replace the server, for report files. */
export function askInstead(answer: Ask): void {
  ask = answer;
  hasServer = false;
}

/** GET of JSON; undefined if aborted. `is` checks the type of the answer. */
export async function getJson<T>(path: string, is: (body: unknown) => body is T, signal: AbortSignal): Promise<Answer<T> | undefined> {
  try {
    const { status, body } = await ask(path, signal);
    if (signal.aborted) return undefined;
    if (status < 200 || status > 299) {
      return failed({
        kind: 'refused',
        status,
        message: text(body, 'error') || `The server answered ${status} to ${path.split('?', 1)[0] ?? path}.`,
        field: text(body, 'field'),
        hint: text(body, 'hint'),
        unknown: texts(body, 'unknown'),
      });
    }
    if (!is(body))
      return failed({
        kind: 'unreadable',
        status,
        message: 'The server’s answer is not a report this page knows. It may be older or newer than the server: reload the page.',
      });
    return { ok: true, value: body };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!hasServer)
      return failed({ kind: 'unreadable', message: `This file cannot answer: ${error instanceof Error ? error.message : String(error)}` });
    return failed({
      kind: 'unreachable',
      message: 'The heapview server does not answer. This page reconnects when it is back.',
    });
  }
}

/** GET of a text; undefined if there is none. */
export async function getText(path: string): Promise<string | undefined> {
  if (!hasServer) return undefined;
  try {
    const response = await fetch(path);
    return response.ok ? await response.text() : undefined;
  } catch {
    return undefined;
  }
}

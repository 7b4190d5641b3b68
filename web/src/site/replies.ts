import type { Opened } from '../api/types';
import type { Sent } from '../api/upload';

/** Replies of the engine about files. */

/** A file that could not be read: its index among the given ones, and why. */
export interface RefusedFile {
  readonly file: number;
  readonly error: string;
}

async function body(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

function field(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Why a request failed. */
export type Refusal = Extract<Sent<unknown>, { readonly ok: false }>;

function failure(of: unknown): Refusal {
  const [message, hint] = [field(of, 'error'), field(of, 'hint')];
  return {
    ok: false,
    message: typeof message === 'string' && message !== '' ? message : 'the engine does not answer',
    hint: typeof hint === 'string' ? hint : '',
  };
}

/** The reply to `attach` or `symbolize`. */
export async function openedOf(response: Response): Promise<Sent<Opened>> {
  const reply = await body(response);
  if (!response.ok) return failure(reply);
  const dumps = field(reply, 'dumps');
  const numbers = Array.isArray(dumps) ? dumps.filter((one) => typeof one === 'number') : [];
  return { ok: true, value: { dumps: numbers, fits: [...texts(field(reply, 'fits'))], notes: [...texts(field(reply, 'notes'))] } };
}

/** The reply to `open`: the files that could not be read, and why nothing is open if that is so. */
export async function refusedOf(
  response: Response,
): Promise<{ readonly refused: readonly RefusedFile[]; readonly failure: Refusal | undefined }> {
  const reply = await body(response);
  const list = field(reply, 'refused');
  const refused = (Array.isArray(list) ? list : []).flatMap((one: unknown): RefusedFile[] => {
    const [file, error] = [field(one, 'file'), field(one, 'error')];
    return typeof file === 'number' && typeof error === 'string' ? [{ file, error }] : [];
  });
  return { refused, failure: response.ok ? undefined : failure(reply) };
}

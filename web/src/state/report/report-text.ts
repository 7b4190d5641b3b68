import { getJson, getText } from '../../api/fetch';

/** Answer of an API path as text; undefined if there is none. */
export async function reportText(path: string): Promise<string | undefined> {
  const answer = await getJson(path, (body): body is object => typeof body === 'object' && body !== null, new AbortController().signal);
  return answer?.ok === true ? `${JSON.stringify(answer.value)}\n` : undefined;
}

/** A report as plain text; undefined if there is none. */
export function plainText(path: string): Promise<string | undefined> {
  return getText(path);
}

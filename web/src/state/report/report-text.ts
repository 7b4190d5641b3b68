import { getFile, getText, type NamedBlob } from '../../api/fetch';

/** A report as plain text; undefined if there is none. */
export function plainText(path: string): Promise<string | undefined> {
  return getText(path);
}

/** The answer of an API path as a file, or why there is none. */
export async function reportFile(path: string): Promise<NamedBlob | { readonly problem: string }> {
  const answer = await getFile(path);
  if (answer.ok) return answer.value;
  return { problem: [answer.problem.message, answer.problem.hint].filter((part) => part !== '').join('; ') };
}

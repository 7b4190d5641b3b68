import { getJson } from '../api/fetch';
import { withoutLevel } from '../logic/show';
import { apiPath, type ViewUrl } from '../logic/view-url';

interface Explained {
  readonly markdown: string;
}

function isExplained(body: unknown): body is Explained {
  return typeof body === 'object' && body !== null && typeof Reflect.get(body, 'markdown') === 'string';
}

/** The summary in a few sentences of Markdown, under the filters of the page; undefined when there is none. */
export async function explained(url: ViewUrl): Promise<string | undefined> {
  const query = apiPath(url, 'summary', withoutLevel(url)).split('?', 2)[1] ?? '';
  const answer = await getJson(`/api/v1/explain${query === '' ? '' : `?${query}`}`, isExplained, new AbortController().signal);
  return answer?.ok === true ? answer.value.markdown : undefined;
}

import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { getJson } from '../../api/fetch';
import { withoutLevel } from '../../logic/url/show-level';
import { apiPath, type ViewUrl } from '../../logic/url/view-url';
import type { Busy } from '../page/busy';

interface Explained {
  readonly markdown: string;
  /** One sentence; may be empty. */
  readonly headline: string;
}

function isExplained(body: unknown): body is Explained {
  if (typeof body !== 'object' || body === null) return false;
  return typeof Reflect.get(body, 'markdown') === 'string' && typeof Reflect.get(body, 'headline') === 'string';
}

function explainPath(url: ViewUrl): string {
  const query = apiPath(url, 'summary', withoutLevel(url)).split('?', 2)[1] ?? '';
  return `/api/v1/explain${query === '' ? '' : `?${query}`}`;
}

/** The summary in a few sentences of Markdown, with the filters of the page; undefined if there is none. */
export async function summaryMarkdown(url: ViewUrl): Promise<string | undefined> {
  const answer = await getJson(explainPath(url), isExplained, new AbortController().signal);
  return answer?.ok === true ? answer.value.markdown : undefined;
}

export interface HeadlineState {
  /** The summary in one sentence; empty if there is none, undefined while it loads. */
  readonly headline: ReadonlySignal<string | undefined>;
}

/** Fetches the headline while the summary is on the screen, and again with new names. */
export function createHeadline(
  url: ReadonlySignal<ViewUrl>,
  unknownPath: ReadonlySignal<string>,
  generation: ReadonlySignal<number>,
  busy: Busy,
): HeadlineState {
  const headline = signal<string | undefined>(undefined);
  effect(() => {
    void generation.value;
    if (url.value.view !== 'summary' || unknownPath.value !== '') return undefined;
    const path = explainPath(url.value);
    const abort = new AbortController();
    const end = busy.begin();
    const load = async (): Promise<void> => {
      const answer = await getJson(path, isExplained, abort.signal);
      if (answer !== undefined) headline.value = answer.ok ? answer.value.headline : '';
      end();
    };
    void load();
    return () => {
      abort.abort();
      end();
    };
  });
  return { headline };
}

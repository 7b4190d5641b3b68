import { signal, type Signal } from '@preact/signals';
import { getJson, shorten } from '../../api/fetch';
import { isShare } from '../../api/guards';
import type { Share } from '../../api/types';
import { apiPath, type ViewUrl } from '../../logic/url/view-url';

/** State of the Share dialog. */
export interface Sharing {
  readonly open: Signal<boolean>;
  /** Addresses at which others reach the server, for a view; undefined without an answer. */
  ask(url: ViewUrl): Promise<Share | undefined>;
  /** A short link to a path with its query; undefined: the server makes none. */
  shorten(address: string): Promise<string | undefined>;
}

export function createSharing(): Sharing {
  return {
    open: signal(false),
    shorten,
    ask: async (url) => {
      const query = apiPath(url, 'top').split('?', 2)[1] ?? '';
      const answer = await getJson(`/api/v1/share${query === '' ? '' : `?${query}`}`, isShare, new AbortController().signal);
      return answer?.ok === true ? answer.value : undefined;
    },
  };
}

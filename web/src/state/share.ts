import { signal, type Signal } from '@preact/signals';
import { getJson } from '../api/fetch';
import { isShare } from '../api/guards';
import type { Share } from '../api/types';

/** The dialog with links to hand out. */
export interface Sharing {
  readonly open: Signal<boolean>;
  /** How others reach the server; undefined when it does not say. */
  ask(): Promise<Share | undefined>;
}

export function createSharing(): Sharing {
  return {
    open: signal(false),
    ask: async () => {
      const answer = await getJson('/api/v1/share', isShare, new AbortController().signal);
      return answer?.ok === true ? answer.value : undefined;
    },
  };
}

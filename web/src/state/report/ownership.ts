import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { getJson } from '../../api/fetch';
import { isRules } from '../../api/guards';
import type { Kind, Rules } from '../../api/types';
import { param, type Patch, type ViewUrl } from '../../logic/url/view-url';
import type { Busy } from '../page/busy';

/** One change of the rules; the API's parameters of the same names. */
export type RuleChange =
  | { readonly add: string }
  | { readonly package: string; readonly to: Kind }
  | { readonly function: string; readonly to: Kind }
  | { readonly at: string; readonly to: Kind }
  | { readonly at: string };

/** The user's rules about whose code is what. They are in the address; the core reads, changes and writes them. */
export interface OwnershipState {
  /** Those of the address; undefined until the answer is there, or if they are invalid. */
  readonly rules: ReadonlySignal<Rules | undefined>;
  readonly changeRules: (change: RuleChange) => void;
  /** Why a text is not a list of rules; empty if it is one. */
  readonly problemOfRules: (text: string) => Promise<string>;
}

const NONE: Rules = { kinds: '', rule: [], toml: '' };

export function createOwnership(
  url: ReadonlySignal<ViewUrl>,
  go: (patch: Patch) => void,
  notify: (text: string) => void,
  busy: Busy,
): OwnershipState {
  const rules = signal<Rules | undefined>(NONE);
  effect(() => {
    const kinds = param(url.value, 'kinds');
    if (kinds === rules.peek()?.kinds) return undefined;
    rules.value = kinds === '' ? NONE : undefined;
    if (kinds === '') return undefined;
    const abort = new AbortController();
    void fetchRules({ kinds }, abort.signal, busy).then((answer) => {
      // The address may spell them otherwise.
      if (answer?.ok === true) rules.value = { ...answer.value, kinds };
    });
    return () => {
      abort.abort();
    };
  });

  /** Changes are made one after the other, each to what the one before led to. */
  let last: Promise<unknown> = Promise.resolve();
  const apply = async (change: RuleChange): Promise<void> => {
    const answer = await fetchRules({ kinds: param(url.peek(), 'kinds'), ...change }, new AbortController().signal, busy);
    if (answer === undefined) return;
    if (!answer.ok) {
      notify(answer.problem.message);
      return;
    }
    rules.value = answer.value;
    go({ kinds: answer.value.kinds, zoom: '' });
  };
  return {
    rules,
    changeRules: (change) => {
      last = last.then(() => apply(change));
    },
    problemOfRules: async (text) => {
      const answer = await fetchRules({ add: text }, new AbortController().signal, busy);
      return answer?.ok === false ? answer.problem.message : '';
    },
  };
}

async function fetchRules(parameters: Readonly<Record<string, string>>, abort: AbortSignal, busy: Busy): ReturnType<typeof getJson<Rules>> {
  const end = busy.begin();
  const answer = await getJson(`/api/v1/rules?${new URLSearchParams(parameters).toString()}`, isRules, abort);
  end();
  return answer;
}

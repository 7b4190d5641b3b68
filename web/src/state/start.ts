import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { getJson } from '../api/fetch';
import { isStartList } from '../api/guards';
import type { Meta, StartList } from '../api/types';
import { clearRecent, openListed } from '../api/upload';
import type { Busy } from './busy';

const LIST = '/api/v1/start';

/** The page while no profile is open. */
export interface Start {
  readonly isEmpty: ReadonlySignal<boolean>;
  /** Profiles that can be opened by name; undefined until they are known. */
  readonly list: ReadonlySignal<StartList | undefined>;
  /** Why the last request failed. */
  readonly problem: ReadonlySignal<string>;
  /** Identifier of the entry that is being opened; empty: none. */
  readonly opening: ReadonlySignal<string>;
  /** Asks for the list. */
  ask(): Promise<void>;
  open(id: string): Promise<void>;
  /** Forgets recent files. */
  clearRecent(): Promise<void>;
  /** Calls `opened` once, when the first profile is there. */
  onFirst(opened: () => void): void;
}

export function createStart(meta: ReadonlySignal<Meta | undefined>, busy: Busy): Start {
  const isEmpty = computed(() => meta.value?.dumps.length === 0);
  const list = signal<StartList | undefined>(undefined);
  const problem = signal('');
  const opening = signal('');
  const ask = async (): Promise<void> => {
    const answer = await getJson(LIST, isStartList, new AbortController().signal);
    if (answer?.ok === true) list.value = answer.value;
  };
  const show = ({ message, hint }: { readonly message: string; readonly hint: string }): void => {
    problem.value = [message, hint].filter((part) => part !== '').join('; ');
  };
  return {
    isEmpty,
    list,
    problem,
    opening,
    ask,
    open: async (id) => {
      const end = busy.begin();
      opening.value = id;
      problem.value = '';
      const sent = await openListed(id);
      opening.value = '';
      if (!sent.ok) {
        // A listed dump may have been deleted: the error and the new list appear together.
        await ask();
        show(sent);
      }
      end();
    },
    clearRecent: async () => {
      const end = busy.begin();
      problem.value = '';
      const sent = await clearRecent();
      if (sent.ok) list.value = sent.value;
      else show(sent);
      end();
    },
    onFirst: (opened) => {
      let wasEmpty = isEmpty.peek();
      effect(() => {
        const isFirst = wasEmpty && !isEmpty.value;
        wasEmpty = isEmpty.value;
        if (isFirst) opened();
      });
    },
  };
}

import { computed, effect, signal, untracked, type ReadonlySignal } from '@preact/signals';
import { getJson } from '../../api/fetch';
import { isStartList } from '../../api/guards';
import type { Meta, StartEntry, StartList } from '../../api/types';
import { clearRecent, openListed } from '../../api/upload';
import { isStartPath } from '../../logic/url/start-path';
import type { Busy } from '../page/busy';

const LIST = '/api/v1/start';

/** A question to the user: whether a profile may take the place of the open one. */
export interface Replacing {
  /** Name of the profile to open. */
  readonly name: string;
  /** Opens it in place of the profile that was open when the user was asked. */
  readonly open: () => void;
}

/** The start page: profiles to open while no profile is open, or in place of the open one. */
export interface Start {
  readonly isEmpty: ReadonlySignal<boolean>;
  /** Whether the start page is shown. */
  readonly isShown: ReadonlySignal<boolean>;
  /** Profiles that can be opened by name; undefined until they are known. */
  readonly list: ReadonlySignal<StartList | undefined>;
  /** Why the last request failed. */
  readonly problem: ReadonlySignal<string>;
  /** Identifier of the entry that is being opened; empty: none. */
  readonly opening: ReadonlySignal<string>;
  /** Requests the list. */
  ask(): Promise<void>;
  open(entry: StartEntry): void;
  /** Forgets recent files. */
  clearRecent(): Promise<void>;
  readonly replacing: ReadonlySignal<Replacing | undefined>;
  /** Calls `open`: at once, or after the user agreed that the open profile is closed. */
  confirm(name: string, open: (replace: number | undefined) => void): void;
  /** The user's answer. */
  answer(agrees: boolean): void;
  /** Calls `opened` when the first profile was opened. */
  onFirst(opened: () => void): void;
  /** Calls `opened` when another profile took the place of the open one. */
  onOther(opened: () => void): void;
}

/** The list of the start page, and opening its entries. */
function createList(busy: Busy) {
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
  const openNow = async (id: string, replace: number | undefined): Promise<void> => {
    const end = busy.begin();
    opening.value = id;
    problem.value = '';
    const sent = await openListed(id, replace);
    opening.value = '';
    if (!sent.ok) {
      // A listed dump may have been deleted: the error and the new list appear together.
      await ask();
      show(sent);
    }
    end();
  };
  const clear = async (): Promise<void> => {
    const end = busy.begin();
    problem.value = '';
    const sent = await clearRecent();
    if (sent.ok) list.value = sent.value;
    else show(sent);
    end();
  };
  return { list, problem, opening, ask, openNow, clearRecent: clear };
}

export function createStart(meta: ReadonlySignal<Meta | undefined>, unknownPath: ReadonlySignal<string>, busy: Busy): Start {
  const isEmpty = computed(() => meta.value?.dumps.length === 0);
  const isShown = computed(() => isEmpty.value || (meta.value?.may_replace === true && isStartPath(unknownPath.value)));
  const replacing = signal<Replacing | undefined>(undefined);
  const { openNow, ...list } = createList(busy);
  const confirm: Start['confirm'] = (name, open) => {
    if (isEmpty.peek() || !isShown.peek()) open(undefined);
    else {
      const number = meta.peek()?.profile_number ?? 0;
      const agreed = (): void => {
        open(number);
      };
      replacing.value = { name, open: agreed };
    }
  };
  return {
    isEmpty,
    isShown,
    ...list,
    open: (entry) => {
      confirm(entry.name, (replace) => void openNow(entry.id, replace));
    },
    replacing,
    confirm,
    answer: (agrees) => {
      const question = replacing.peek();
      replacing.value = undefined;
      if (agrees) question?.open();
    },
    onFirst: (opened) => {
      onChange(isEmpty, (was, is) => {
        if (was && !is) opened();
      });
    },
    onOther: (opened) => {
      const profile = computed(() => ({ instance: meta.value?.instance ?? '', number: meta.value?.profile_number ?? 0 }));
      onChange(profile, (was, is) => {
        if (was.instance === is.instance && was.number !== is.number) opened();
      });
    },
  };
}

function onChange<T>(of: ReadonlySignal<T>, changed: (was: T, is: T) => void): void {
  let was = of.peek();
  effect(() => {
    const [before, now] = [was, of.value];
    was = now;
    untracked(() => {
      changed(before, now);
    });
  });
}

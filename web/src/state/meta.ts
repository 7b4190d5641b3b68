import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { getJson } from '../api/fetch';
import { isMeta } from '../api/guards';
import type { Meta } from '../api/types';
import type { Busy } from './busy';

const WORKING_MS = 300;
const UNREACHABLE_MS = 2000;

export interface MetaState {
  readonly meta: ReadonlySignal<Meta | undefined>;
  /** Grows when functions got names: reports are then asked for again. */
  readonly generation: ReadonlySignal<number>;
}

/** What is loaded. Asks again while names are still being looked up, or nobody answers. */
export function createMeta(boot: unknown, busy: Busy): MetaState {
  const meta = signal<Meta | undefined>(isMeta(boot) ? boot : undefined);
  const generation = signal(meta.peek()?.symbols.generation ?? 0);
  let end: (() => void) | undefined;

  const ask = async (): Promise<void> => {
    const answer = await getJson('/api/v1/meta', isMeta, new AbortController().signal);
    if (answer?.ok === true) {
      meta.value = answer.value;
      if (answer.value.symbols.generation > generation.peek()) generation.value = answer.value.symbols.generation;
      wait();
    } else
      setTimeout(() => {
        void ask();
      }, UNREACHABLE_MS);
  };
  const wait = (): void => {
    const working = meta.peek()?.symbols.state === 'working';
    if (working)
      setTimeout(() => {
        void ask();
      }, WORKING_MS);
  };
  effect(() => {
    const settled = meta.value !== undefined && meta.value.symbols.state !== 'working';
    if (settled) end?.();
    else end ??= busy.begin();
  });
  if (meta.peek() === undefined) void ask();
  else wait();
  return { meta, generation };
}

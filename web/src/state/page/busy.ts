import { computed, signal, type ReadonlySignal } from '@preact/signals';

/** Counts running work; tests wait until it is 0. */
export interface Busy {
  readonly idle: ReadonlySignal<boolean>;
  /** Registers work; call the returned function once when it ends. */
  readonly begin: () => () => void;
}

export function createBusy(): Busy {
  const running = signal(0);
  return {
    idle: computed(() => running.value === 0),
    begin: () => {
      running.value = running.peek() + 1;
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        running.value = running.peek() - 1;
      };
    },
  };
}

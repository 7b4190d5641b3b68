import { computed, signal, type ReadonlySignal } from '@preact/signals';

/** Counts what is under way; tests wait until nothing is. */
export interface Busy {
  readonly idle: ReadonlySignal<boolean>;
  /** Something began; call the result once when it ended. */
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

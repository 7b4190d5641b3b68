import { effect, signal, type ReadonlySignal } from '@preact/signals';
import { isMeta } from '../../api/guards';
import type { Meta } from '../../api/types';
import type { Browser } from '../page/browser';
import type { Busy } from '../page/busy';
import { createConnection, type Connection } from './connection';

export interface MetaState {
  readonly meta: ReadonlySignal<Meta | undefined>;
  /** Increases when reports may have changed (new names, another server); they are then fetched again. */
  readonly generation: ReadonlySignal<number>;
  readonly connection: Connection;
}

/** The open profile, as the server describes it. */
export function createMeta(boot: unknown, busy: Busy, browser: Browser): MetaState {
  const meta = signal<Meta | undefined>(isMeta(boot) ? boot : undefined);
  const generation = signal(0);
  const connection = createConnection(browser, (next) => {
    const before = meta.peek();
    meta.value = next;
    if (before !== undefined && (before.instance !== next.instance || before.symbols.generation !== next.symbols.generation))
      generation.value += 1;
  });
  effect(() => {
    if (connection.healed.value > 0) generation.value = generation.peek() + 1;
  });
  let end: (() => void) | undefined;
  effect(() => {
    const known = meta.value;
    // A report file that cannot be opened has no metadata, and no more will come.
    const working = known === undefined ? browser.kind !== 'report' : known.symbols.state === 'working';
    if (working && connection.lost.value === undefined) end ??= busy.begin();
    else {
      end?.();
      end = undefined;
    }
  });
  return { meta, generation, connection };
}

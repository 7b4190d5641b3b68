import { signal, type ReadonlySignal } from '@preact/signals';
import { getJson, type Problem } from '../../api/fetch';
import { isMeta } from '../../api/guards';
import type { Meta } from '../../api/types';
import type { Browser } from '../page/browser';

const EVENTS = '/api/v1/events';
const META = '/api/v1/meta';
/** Wait after the first failure, and the longest wait. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;

/** Whether the server answers; it reports every change by an event. */
export interface Connection {
  /** Why the server does not answer; undefined while it does. */
  readonly lost: ReadonlySignal<Problem | undefined>;
  /** Increases whenever the server answers again after it did not. */
  readonly healed: ReadonlySignal<number>;
  /** Asks the server now, without waiting. */
  retry(): void;
  /** A request got no answer: asks whether the server answers at all. */
  doubt(): void;
}

/** Whether the server answers, as signals. */
function createHealth(onMeta: (meta: Meta) => void) {
  const lost = signal<Problem | undefined>(undefined);
  const healed = signal(0);
  let unanswered = false;
  return {
    lost,
    healed,
    doubt: (): void => {
      unanswered = true;
    },
    /** The server answered. */
    answered: (meta: Meta): void => {
      const isBack = lost.peek() !== undefined || unanswered;
      unanswered = false;
      lost.value = undefined;
      onMeta(meta);
      if (isBack) healed.value += 1;
    },
  };
}

/** One action at a time, each after a longer wait. */
function createBackoff() {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT_MS;
  return {
    later: (action: () => void): void => {
      clearTimeout(timer);
      timer = setTimeout(action, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    },
    cancel: (): void => {
      clearTimeout(timer);
    },
    reset: (): void => {
      wait = FIRST_WAIT_MS;
    },
  };
}

/** Listens while the page is visible: browsers have few connections to one server, and tabs share them. */
export function createConnection(browser: Browser, onMeta: (meta: Meta) => void): Connection {
  const { lost, healed, doubt, answered } = createHealth(onMeta);
  const backoff = createBackoff();
  let stop: (() => void) | undefined;
  let probe: AbortController | undefined;

  const rest = (): void => {
    stop?.();
    stop = undefined;
    backoff.cancel();
    probe?.abort();
    probe = undefined;
  };
  const check = (): void => {
    rest();
    void probeServer();
  };
  const listen = (): void => {
    rest();
    stop = browser.listen(EVENTS, {
      onMessage: (text) => {
        const meta = read(text);
        if (meta === undefined) return;
        backoff.reset();
        answered(meta);
      },
      onEnd: check,
    });
  };
  // An event source does not report why it failed.
  const probeServer = async (): Promise<void> => {
    probe = new AbortController();
    const answer = await getJson(META, isMeta, probe.signal);
    if (answer === undefined) return;
    if (answer.ok) answered(answer.value);
    else lost.value = answer.problem;
    backoff.later(answer.ok ? listen : () => void probeServer());
  };
  browser.onVisible((visible) => {
    if (!visible) rest();
    else if (lost.peek() === undefined) listen();
    else check();
  });
  if (browser.isVisible()) listen();
  return {
    lost,
    healed,
    retry: () => {
      backoff.reset();
      check();
    },
    doubt: () => {
      doubt();
      if (lost.peek() !== undefined || !browser.isVisible()) return;
      rest();
      backoff.later(check);
    },
  };
}

function read(text: string): Meta | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isMeta(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

import { signal, type ReadonlySignal } from '@preact/signals';
import { getJson, type Problem } from '../../api/fetch';
import { isMeta } from '../../api/guards';
import type { Meta } from '../../api/types';
import type { Browser } from '../page/browser';

const EVENTS = '/api/v1/events';
const META = '/api/v1/meta';
/** After the first failure, and at most. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5000;

/** Whether the server answers; it reports every change by an event. */
export interface Connection {
  /** Why it is not; undefined while it is. */
  readonly lost: ReadonlySignal<Problem | undefined>;
  /** Grows whenever it is there again after it was not. */
  readonly healed: ReadonlySignal<number>;
  /** Looks at once, without waiting any longer. */
  retry(): void;
  /** A question got no answer: look whether the server is there at all. */
  doubt(): void;
}

/** Listens while the page is visible: browsers have few connections to one server, and tabs share them. */
export function createConnection(browser: Browser, onMeta: (meta: Meta) => void): Connection {
  const lost = signal<Problem | undefined>(undefined);
  const healed = signal(0);
  let stop: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let probe: AbortController | undefined;
  let wait = FIRST_WAIT_MS;
  let unanswered = false;

  const rest = (): void => {
    stop?.();
    stop = undefined;
    clearTimeout(timer);
    timer = undefined;
    probe?.abort();
    probe = undefined;
  };
  const found = (meta: Meta): void => {
    const isBack = lost.peek() !== undefined || unanswered;
    unanswered = false;
    lost.value = undefined;
    onMeta(meta);
    if (isBack) healed.value += 1;
  };
  const later = (action: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(action, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  };
  const listen = (): void => {
    rest();
    stop = browser.listen(EVENTS, {
      onMessage: (text) => {
        const meta = read(text);
        if (meta === undefined) return;
        wait = FIRST_WAIT_MS;
        found(meta);
      },
      onEnd: () => {
        rest();
        void ask();
      },
    });
  };
  // An event source does not report why it failed.
  const ask = async (): Promise<void> => {
    probe = new AbortController();
    const answer = await getJson(META, isMeta, probe.signal);
    if (answer === undefined) return;
    if (answer.ok) {
      found(answer.value);
      later(listen);
    } else {
      lost.value = answer.problem;
      later(() => void ask());
    }
  };
  const check = (): void => {
    rest();
    void ask();
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
      wait = FIRST_WAIT_MS;
      check();
    },
    doubt: () => {
      unanswered = true;
      if (lost.peek() !== undefined || !browser.isVisible()) return;
      rest();
      later(check);
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

import { effect, signal, type ReadonlySignal } from '@preact/signals';

export interface Notice {
  /** Short message at the foot of the page; empty when there is none. */
  readonly notice: ReadonlySignal<string>;
  /** Shows a message for a moment. */
  readonly notify: (text: string) => void;
}

const SHOWN_MS = 2500;

/** Short messages such as “Link copied”. They disappear when a menu opens. */
export function createNotice(menu: ReadonlySignal<unknown>): Notice {
  const notice = signal('');
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    if (menu.value === undefined) return;
    clearTimeout(timer);
    notice.value = '';
  });
  return {
    notice,
    notify: (text) => {
      notice.value = text;
      clearTimeout(timer);
      timer = setTimeout(() => {
        notice.value = '';
      }, SHOWN_MS);
    },
  };
}

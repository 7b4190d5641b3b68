import { useEffect, useRef, useState } from 'preact/hooks';

export interface Draft {
  readonly text: string;
  /** Changes the text; it is committed after a pause. */
  readonly type: (text: string) => void;
  /** Drops the pending commit: the caller commits the text itself. */
  readonly settle: () => void;
}

/** Debounce: long enough for fast typing, short enough to feel immediate. */
const PAUSE_MS = 40;

/** Text of a field while the user types; `value` is the committed text, `begin` announces a pending commit. */
export function useDraft(value: string, commit: (text: string) => void, begin: () => () => void): Draft {
  const pause = useRef<{ timer: ReturnType<typeof setTimeout>; end: () => void } | undefined>(undefined);
  const [text, setText] = useState(value);
  useEffect(() => {
    if (pause.current === undefined) setText(value);
  }, [value]);
  const settle = (): void => {
    clearTimeout(pause.current?.timer);
    pause.current?.end();
    pause.current = undefined;
  };
  return {
    text,
    settle,
    type: (next) => {
      setText(next);
      settle();
      const timer = setTimeout(() => {
        settle();
        commit(next);
      }, PAUSE_MS);
      pause.current = { timer, end: begin() };
    },
  };
}

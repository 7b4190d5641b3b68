import { signal, type ReadonlySignal } from '@preact/signals';
import { openFiles, type OpeningEvents } from '../../api/upload';
import type { Opened } from '../../api/types';
import type { Busy } from '../page/busy';
import { uploadOrder } from './upload-order';

/** Purpose of an opened profile. */
export type Purpose = 'show' | 'base';

/** An upload in progress, or why it failed. */
export interface Upload {
  readonly id: number;
  readonly name: string;
  /** Share that is done, 0 … 1; undefined if the file could not be opened. */
  readonly share: number | undefined;
  /** What is done now, a few words; empty while the file is sent. */
  readonly what: string;
  readonly problem: string;
}

export interface Uploads {
  readonly current: ReadonlySignal<readonly Upload[]>;
  /**
   * Opens files, binaries last; `done` is called once, with the profiles and binaries among them. The first that opens
   * takes the place of the profile with the number `replace`, the others open beside it.
   */
  open(files: readonly File[], room: number, replace: number | undefined, done: (opened: readonly Opened[]) => void): Promise<void>;
  /** Cancels what is being opened. */
  cancel(): void;
  /** Removes failed uploads from the list. */
  dismiss(): void;
}

const GIB = 1 << 30;

export function createUploads(busy: Busy): Uploads {
  const current = signal<readonly Upload[]>([]);
  let next = 0;
  const running = new Set<AbortController>();
  return {
    current,
    cancel: () => {
      running.forEach((one) => {
        one.abort();
      });
    },
    dismiss: () => {
      current.value = current.peek().filter((file) => file.problem === '');
    },
    open: async (files, room, replace, done) => {
      const end = busy.begin();
      const cancelling = new AbortController();
      running.add(cancelling);
      const { signal } = cancelling;
      const opened: Opened[] = [];
      const begun = (await uploadOrder(files)).map((file) => ({ file, id: next++ }));
      const failed = current.peek().filter((file) => file.problem !== '');
      current.value = [...failed, ...begun.map(({ file, id }) => ({ id, name: file.name, share: 0, what: '', problem: '' }))];
      const change = (of: File, to: Partial<Upload>): void => {
        const id = begun.find(({ file }) => file === of)?.id;
        current.value = current.peek().map((file) => (file.id === id ? { ...file, ...to } : file));
      };
      const remove = (of: File): void => {
        const id = begun.find(({ file }) => file === of)?.id;
        current.value = current.peek().filter((file) => file.id !== id);
      };
      const fit = begun.map(({ file }) => file).filter((file) => file.size <= room);
      for (const { file } of begun.filter(({ file }) => file.size > room)) {
        const left = `${(room / GIB).toFixed(2)} GiB`;
        change(file, { share: undefined, problem: `File too large: ${left} left. Raise the limit with heapview -upload_limit=SIZE.` });
      }
      const events: OpeningEvents = {
        onProgress: (file, share, what) => {
          change(file, { share, what });
        },
        onEnd: (file, sent) => {
          if (sent.ok) opened.push(sent.value);
          if (sent.ok || signal.aborted) remove(file);
          else change(file, { share: undefined, problem: [sent.message, sent.hint].filter((part) => part !== '').join('; ') });
        },
      };
      await openFiles(fit, replace, events, signal);
      running.delete(cancelling);
      if (opened.length > 0) done(opened);
      end();
    },
  };
}

import { signal, type ReadonlySignal } from '@preact/signals';
import { sendFile } from '../../api/upload';
import type { Opened } from '../../api/types';
import type { Busy } from '../page/busy';
import { uploadOrder } from './upload-order';

/** Purpose of an opened profile. */
export type Purpose = 'show' | 'base';

/** An upload in progress, or why it failed. */
export interface Upload {
  readonly id: number;
  readonly name: string;
  /** Sent share, 0 … 1; undefined if the upload failed. */
  readonly share: number | undefined;
  readonly problem: string;
}

export interface Uploads {
  readonly current: ReadonlySignal<readonly Upload[]>;
  /**
   * Uploads files one after another, binaries last; `done` is called once, with the profiles and binaries among them. The first that opens
   * takes the place of the profile with the number `replace`, the others open beside it.
   */
  open(files: readonly File[], room: number, replace: number | undefined, done: (opened: readonly Opened[]) => void): Promise<void>;
  /** Removes failed uploads from the list. */
  dismiss(): void;
}

const GIB = 1 << 30;

export function createUploads(busy: Busy): Uploads {
  const current = signal<readonly Upload[]>([]);
  let next = 0;
  const change = (id: number, to: Partial<Upload>): void => {
    current.value = current.peek().map((file) => (file.id === id ? { ...file, ...to } : file));
  };
  return {
    current,
    dismiss: () => {
      current.value = current.peek().filter((file) => file.problem === '');
    },
    open: async (files, room, replace, done) => {
      const end = busy.begin();
      const opened: Opened[] = [];
      const begun = (await uploadOrder(files)).map((file) => ({ file, id: next++ }));
      const failed = current.peek().filter((file) => file.problem !== '');
      current.value = [...failed, ...begun.map(({ file, id }) => ({ id, name: file.name, share: 0, problem: '' }))];
      for (const { file, id } of begun) {
        if (file.size > room) {
          const left = `${(room / GIB).toFixed(2)} GiB`;
          change(id, { share: undefined, problem: `File too large: ${left} left. Raise the limit with heapview -upload_limit=SIZE.` });
          continue;
        }
        const sent = await sendFile(file, opened.length === 0 ? replace : undefined, (share) => {
          change(id, { share });
        });
        if (sent.ok) {
          opened.push(sent.value);
          current.value = current.peek().filter((one) => one.id !== id);
        } else change(id, { share: undefined, problem: [sent.message, sent.hint].filter((part) => part !== '').join('; ') });
      }
      if (opened.length > 0) done(opened);
      end();
    },
  };
}

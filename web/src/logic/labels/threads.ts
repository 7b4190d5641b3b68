import type { TagKey } from '../../api/types';

/** Labels that name the thread that allocated. */

const THREAD = /^(?:thread|tid)(?:[ _-]?(?:name|id))?$/i;

/** Key of the label that identifies threads, names before numbers; empty where there is none. */
export function threadKey(keys: readonly string[]): string {
  const found = keys.filter((key) => THREAD.test(key));
  return found.find((key) => !/id$/i.test(key)) ?? found[0] ?? '';
}

/** Memory of one thread. */
export interface ThreadRow {
  readonly name: string;
  readonly value: number;
  readonly base: number;
}

/** Threads with memory, largest first; with a base the largest change first. */
export function threadRows(tag: Pick<TagKey, 'values'>): readonly ThreadRow[] {
  const size = ({ value, base }: ThreadRow): number => Math.abs(value - base);
  const rows = tag.values.filter(({ value, base }) => value !== 0 || base !== 0);
  return rows.map(({ name, value, base }) => ({ name, value, base })).sort((a, b) => size(b) - size(a));
}

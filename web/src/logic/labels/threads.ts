import type { TagKey } from '../../api/types';

/** Labels that name the thread that allocated. */

const THREAD = /^(?:thread|tid)(?:[ _-]?(?:name|id))?$/i;

/** The key of the label that tells threads apart, names before numbers; empty where there is none. */
export function threadKey(keys: readonly string[]): string {
  const found = keys.filter((key) => THREAD.test(key));
  return found.find((key) => !/id$/i.test(key)) ?? found[0] ?? '';
}

/** What one thread holds. */
export interface ThreadRow {
  readonly name: string;
  readonly value: number;
  readonly base: number;
}

/** Threads that hold anything, heaviest first; with a base what changed most first. */
export function threadRows(tag: Pick<TagKey, 'values'>): readonly ThreadRow[] {
  const size = ({ value, base }: ThreadRow): number => Math.abs(value - base);
  const rows = tag.values.filter(({ value, base }) => value !== 0 || base !== 0);
  return rows.map(({ name, value, base }) => ({ name, value, base })).sort((a, b) => size(b) - size(a));
}

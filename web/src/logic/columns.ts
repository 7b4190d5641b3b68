/** Which columns of a table are shown: those that were chosen, else those that the width has room for. */

export interface ColumnSize {
  readonly key: string;
  /** Pixels that it needs; the one column that takes the rest says its least. */
  readonly width: number;
  /** The higher, the sooner it goes when there is no room; 0 stays. Undefined: only shown when chosen. */
  readonly spare?: number | undefined;
}

/** `flat,cum` → the keys, in the order of the table; empty when nothing known was chosen. */
export function chosenColumns(text: string, all: readonly ColumnSize[]): readonly string[] {
  const words = new Set(text.split(','));
  return all.flatMap((c) => (words.has(c.key) ? [c.key] : []));
}

/** The keys that fit `width`, in the order of the table. */
export function fittingColumns(all: readonly ColumnSize[], width: number): readonly string[] {
  let shown = all.filter((c) => c.spare !== undefined);
  const taken = (): number => shown.reduce((sum, c) => sum + c.width, 0);
  while (taken() > width) {
    const sparest = shown.reduce((most, c) => Math.max(most, c.spare ?? 0), 0);
    if (sparest === 0) break;
    shown = shown.filter((c) => c.spare !== sparest);
  }
  return shown.map((c) => c.key);
}

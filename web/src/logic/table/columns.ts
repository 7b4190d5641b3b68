/** Which columns of a table are shown, and how wide they are. */

export interface ColumnSize {
  readonly key: string;
  /** Pixels that it needs; for a column that grows: its minimum. */
  readonly width: number;
  /** Share of the free width; `true` is 1. Undefined: the column keeps its width. */
  readonly grows?: boolean | number;
  /** Columns with higher numbers are dropped first if space is short; 0 always stays. Undefined: only shown if chosen. */
  readonly spare?: number | undefined;
}

/** Column key → pixels, as dragged by the user or as wide as its numbers. */
export type Widths = Readonly<Record<string, number>>;

/** Pixels between which a column can be dragged. */
export const NARROWEST = 36;
export const WIDEST = 1600;

/** `flat,cum` → known keys in the order of the table; empty if there are none. */
export function chosenColumns(text: string, all: readonly ColumnSize[]): readonly string[] {
  const words = new Set(text.split(','));
  return all.flatMap((c) => (words.has(c.key) ? [c.key] : []));
}

/** Keys of the columns that fit `width`, in the order of the table; in a narrow one the growing column is kept first. */
export function fittingColumns(all: readonly ColumnSize[], width: number, set: Widths = {}): readonly string[] {
  if (width < NARROW) return narrowColumns(all, width, set);
  let shown = all.filter((c) => c.spare !== undefined);
  const taken = (): number => shown.reduce((sum, c) => sum + (set[c.key] ?? c.width), 0);
  while (taken() > width) {
    const sparest = shown.reduce((most, c) => Math.max(most, c.spare ?? 0), 0);
    if (sparest === 0) break;
    shown = shown.filter((c) => c.spare !== sparest);
  }
  return shown.map((c) => c.key);
}

/** A table narrower than this puts its growing column first and shows the few others that fit. */
const NARROW = 560;

/** Width below which names get less space than numbers. */
function narrowed(first: ColumnSize, width: number): number {
  return first.grows === undefined ? first.width : Math.min(first.width, width * 0.45);
}

/** Keys of a narrow table: the growing column and the most useful ones that fit beside it, in the order of the table. */
function narrowColumns(all: readonly ColumnSize[], width: number, set: Widths): readonly string[] {
  const first = all.find((c) => c.grows !== undefined && c.spare === 0) ?? all[0];
  if (first === undefined) return [];
  let left = width - (set[first.key] ?? narrowed(first, width));
  const kept = new Set<string>();
  const useful = all.filter((c) => c !== first && c.spare !== undefined).sort((a, b) => (a.spare ?? 0) - (b.spare ?? 0));
  for (const c of useful) {
    const wide = set[c.key] ?? c.width;
    if (wide > left && kept.size > 0) break;
    kept.add(c.key);
    left -= wide;
  }
  return [first.key, ...all.flatMap((c) => (kept.has(c.key) ? [c.key] : []))];
}

/** Pixels of each column in a table of `width` pixels: columns that grow share what the others leave; a set width is kept. */
export function columnWidths(shown: readonly ColumnSize[], width: number, set: Widths = {}): readonly number[] {
  const weight = ({ key, grows = 0 }: ColumnSize): number => (set[key] === undefined ? Number(grows) : 0);
  const narrow = (c: ColumnSize): number => (width < NARROW && c === shown[0] ? narrowed(c, width) : c.width);
  const least = shown.map((c) => set[c.key] ?? narrow(c));
  const free = width - least.reduce((sum, w) => sum + w, 0);
  const all = shown.reduce((sum, c) => sum + weight(c), 0);
  if (free <= 0 || all === 0) return least;
  return shown.map((c, i) => (least[i] ?? 0) + (free * weight(c)) / all);
}

/** A dragged width within its bounds. */
export function boundedWidth(width: number): number {
  return Math.round(Math.max(NARROWEST, Math.min(WIDEST, width)));
}

/** Widths of all tables as they are stored: `{"Top":{"name":320}}`. Anything else in the text is left out. */
export function readWidths(text: string | null): Readonly<Record<string, Widths>> {
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
  try {
    const all: unknown = JSON.parse(text ?? '{}');
    if (!isObject(all)) return {};
    return Object.fromEntries(
      Object.entries(all).flatMap(([table, columns]: [string, unknown]) => {
        if (!isObject(columns)) return [];
        const widths = Object.entries(columns).flatMap(([key, width]: [string, unknown]) =>
          typeof width === 'number' && Number.isFinite(width) ? [[key, boundedWidth(width)] as const] : [],
        );
        return widths.length === 0 ? [] : [[table, Object.fromEntries(widths)]];
      }),
    );
  } catch {
    return {};
  }
}

/** The same with one width set, or with `undefined` forgotten. */
export function withWidth(
  all: Readonly<Record<string, Widths>>,
  table: string,
  key: string,
  width: number | undefined,
): Readonly<Record<string, Widths>> {
  const others = Object.entries(all[table] ?? {}).filter(([k]) => k !== key);
  return { ...all, [table]: Object.fromEntries(width === undefined ? others : [...others, [key, boundedWidth(width)]]) };
}

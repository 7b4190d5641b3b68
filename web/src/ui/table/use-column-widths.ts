import type { RefObject } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { columnWidths, fittingColumns, type Widths } from '../../logic/table/columns';
import { ColumnSizesContext } from './column-sizes';
import type { Column } from './column';

interface Given {
  /** Name of the table that widths are remembered for. */
  readonly table: string;
  readonly box: RefObject<HTMLElement | null>;
  readonly columns: readonly Column[];
  readonly chosen: readonly string[];
  readonly width: number;
  /** Identifies the rows on the screen. */
  readonly seen: unknown;
}

export interface ColumnLayout {
  readonly columns: readonly Column[];
  /** Width of each column, in pixels. */
  readonly widths: readonly number[];
  readonly onResize: (key: string, width: number, done: boolean) => void;
  readonly onFit: (key: string) => void;
}

/** Extra padding of the first column, in pixels. */
const EDGE = 8;
/** Widths are not measured while the table scrolls. */
const PAUSE_MS = 120;

/** Columns that are shown, each as wide as the user made it, or as its numbers need, or as space allows. */
export function useColumnWidths({ table, box, columns: all, chosen, width, seen }: Given): ColumnLayout {
  const { widths: stored, onResize: remember } = useContext(ColumnSizesContext);
  const [drawn, setDrawn] = useState<Widths>({});
  const [needed, setNeeded] = useState<Widths>({});
  const dragged = { ...stored[table], ...drawn };
  const set: Widths = { ...needed, ...dragged };
  const text = JSON.stringify(set);
  const sized = useMemo(() => {
    const keys = chosen.length > 0 ? chosen : fittingColumns(all, width - EDGE, set);
    return keys.flatMap((key) => all.find((c) => c.key === key) ?? []);
  }, [all, chosen, width, text]);
  const widths = useMemo(
    () =>
      columnWidths(
        sized.map((c, i) => (i === 0 ? { ...c, width: c.width + EDGE } : c)),
        width,
        set,
      ),
    [sized, width, text],
  );

  // Numbers are never cut: a column that is too narrow for one becomes as wide as it, unless the user made it so.
  const widen = (): void => {
    const wider: Record<string, number> = {};
    sized.forEach((c, i) => {
      if (c.align !== 'right' || dragged[c.key] !== undefined) return;
      const cells = box.current?.querySelectorAll<HTMLElement>(`tr[data-row] > :nth-child(${i + 1})`) ?? [];
      const over = Math.max(0, ...[...cells].map((cell) => cell.scrollWidth - cell.clientWidth));
      // Both widths are rounded: a fraction of a pixel too little would give an ellipsis.
      if (over > 0) wider[c.key] = Math.ceil((widths[i] ?? 0) + over) + 1;
    });
    if (Object.keys(wider).length > 0) setNeeded((old) => ({ ...old, ...wider }));
  };
  useLayoutEffect(widen, [sized, widths]);
  useEffect(() => {
    const timer = setTimeout(widen, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [seen]);

  return {
    columns: sized,
    widths,
    onResize: (key, wanted, done) => {
      setDrawn(done ? {} : { [key]: wanted });
      if (done) remember(table, key, wanted);
    },
    onFit: (key) => {
      const at = sized.findIndex((c) => c.key === key);
      const fits = naturalWidth(box.current?.querySelector('table') ?? null, at);
      setNeeded({});
      if (fits > 0) remember(table, key, fits);
    },
  };
}

/** Pixels that a column takes when nothing in it is cut; rows on the screen count. */
function naturalWidth(table: HTMLTableElement | null, at: number): number {
  if (table === null || at < 0) return 0;
  table.classList.add('measuring');
  const width = table.querySelector(`thead th:nth-child(${at + 1})`)?.getBoundingClientRect().width ?? 0;
  table.classList.remove('measuring');
  return Math.ceil(width);
}

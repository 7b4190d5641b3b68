import { createContext } from 'preact';
import type { Widths } from '../../logic/table/columns';

/** Column widths that the user dragged, and how to remember them. */
export interface ColumnSizes {
  /** Table → its widths. */
  readonly widths: Readonly<Record<string, Widths>>;
  /** Undefined: the width is automatic again. */
  readonly onResize: (table: string, key: string, width: number | undefined) => void;
}

export const ColumnSizesContext = createContext<ColumnSizes>({ widths: {}, onResize: () => undefined });

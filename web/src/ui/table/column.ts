import type { ComponentChildren } from 'preact';

/** Height of a row, in pixels. */
export const ROW_HEIGHT = 26;
/** Height of the head, in pixels. */
export const HEAD_HEIGHT = 30;

/** One column of a table. */
export interface Column {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  /** Pixels; for a column that grows: its minimum. */
  readonly width: number;
  /** Share of the free width; `true` is 1. */
  readonly grows?: boolean | number;
  readonly align: 'left' | 'right';
  /** Order in which columns are dropped for lack of space: see logic/table/columns. */
  readonly spare?: number | undefined;
  /** Undefined: rows cannot be sorted by it. */
  readonly sorted?: 'ascending' | 'descending' | 'none';
  readonly cell: (row: number) => ComponentChildren;
}

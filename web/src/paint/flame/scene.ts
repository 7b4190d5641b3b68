import type { FlameReport } from '../../api/types';
import type { ColorBy } from '../../logic/flame/colors';
import type { FlameLayout, FlameView } from '../../logic/flame/layout';
import type { PaintTokens } from '../tokens';

/** Height of a row of boxes, in pixels. */
export const FLAME_ROW = 20;
/** Space above the first row, in pixels. */
export const FLAME_PAD = 8;

/** Marked boxes. Arrays are indexed by row of the report. */
export interface FlameMarks {
  readonly matches: Uint8Array | undefined;
  readonly selected: Uint8Array | undefined;
  readonly hover: number;
  readonly cursor: number;
}

export interface FlameScene {
  readonly report: FlameReport;
  readonly layout: FlameLayout;
  readonly view: FlameView;
  /** Pixels of the layout above the window. */
  readonly scrollTop: number;
  readonly height: number;
  readonly marks: FlameMarks;
  readonly tokens: PaintTokens;
  readonly by: ColorBy;
  /** Strength of the shimmer on folded boxes while their detail loads, 0 … 1. */
  readonly shimmer: number;
}

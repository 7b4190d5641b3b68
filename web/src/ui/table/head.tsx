import { useRef } from 'preact/hooks';
import { boundedWidth, NARROWEST, WIDEST } from '../../logic/table/columns';
import type { Column } from './column';

interface Props {
  readonly column: Column;
  readonly width: number;
  readonly onSort: ((key: string) => void) | undefined;
  /** Called while the edge is dragged; `done` at the end. */
  readonly onResize: (key: string, width: number, done: boolean) => void;
  /** Makes the column as wide as its content. */
  readonly onFit: (key: string) => void;
}

const STEP = 16;

/** Head of a column: its name sorts, its right edge resizes it (Shift and arrows by keyboard; a double click fits). */
export function HeadCell({ column, width, onSort, onResize, onFit }: Props) {
  const { sorted, label, hint, key } = column;
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    const onEdge = event.target instanceof HTMLElement && event.target.role === 'separator';
    if (by !== undefined && (event.shiftKey || onEdge)) onResize(key, boundedWidth(width + by), true);
    else if (event.key === 'Enter' && (event.shiftKey || onEdge)) onFit(key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <th role="columnheader" class={column.align} aria-sort={sorted} onKeyDown={onKeyDown}>
      {sorted === undefined ? (
        <span class="head-name" title={hint}>
          {label}
        </span>
      ) : (
        <button
          type="button"
          class="head-name"
          title={hint}
          data-sort={key}
          onClick={() => {
            onSort?.(key);
          }}
        >
          {label}
          <span class="sort-mark" aria-hidden="true">
            {sorted === 'none' ? '' : sorted === 'descending' ? '▾' : '▴'}
          </span>
        </button>
      )}
      <Edge column={column} width={width} onResize={onResize} onFit={onFit} />
    </th>
  );
}

function Edge({ column, width, onResize, onFit }: Omit<Props, 'onSort'>) {
  const drag = useRef<{ readonly x: number; readonly width: number } | undefined>(undefined);
  const now = (event: PointerEvent): number => {
    const from = drag.current;
    return from === undefined ? width : boundedWidth(from.width + event.clientX - from.x);
  };
  return (
    <span
      class="column-edge"
      role="separator"
      // Heads that sort have keys of their own: one stop for Tab each.
      tabIndex={column.sorted === undefined ? 0 : -1}
      aria-orientation="vertical"
      aria-label={`Width of ${column.label}`}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      aria-valuenow={Math.round(width)}
      title="Drag to resize; double-click to fit"
      data-edge={column.key}
      onPointerDown={(e) => {
        if (e.button !== 0) return;
        e.currentTarget.setPointerCapture(e.pointerId);
        drag.current = { x: e.clientX, width };
      }}
      onPointerMove={(e) => {
        if (drag.current !== undefined) onResize(column.key, now(e), false);
      }}
      onPointerUp={(e) => {
        const from = drag.current;
        drag.current = undefined;
        if (from !== undefined && e.clientX !== from.x) onResize(column.key, boundedWidth(from.width + e.clientX - from.x), true);
      }}
      onPointerCancel={() => {
        drag.current = undefined;
      }}
      onDblClick={() => {
        onFit(column.key);
      }}
    />
  );
}

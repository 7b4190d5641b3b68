import { Component } from 'preact';
import type { Column } from './column';

/** Position of a row in a tree. */
export interface RowState {
  /** 1 for the outermost. */
  readonly level: number;
  /** Undefined for rows without children. */
  readonly open: boolean | undefined;
}

interface Props {
  readonly id: string;
  readonly row: number;
  readonly columns: readonly Column[];
  readonly version: unknown;
  readonly kind: string;
  readonly selected: boolean;
  readonly state: RowState | undefined;
}

/** One row; rendered again only when its content changed, so scrolling renders new rows only. */
export class TableRow extends Component<Props> {
  override shouldComponentUpdate(next: Readonly<Props>): boolean {
    const old = this.props;
    return (
      old.version !== next.version ||
      old.columns !== next.columns ||
      old.kind !== next.kind ||
      old.selected !== next.selected ||
      old.row !== next.row
    );
  }

  override render() {
    const { id, row, columns, kind, selected, state } = this.props;
    return (
      <tr
        id={id}
        role="row"
        data-row={row}
        aria-rowindex={row + 2}
        aria-selected={selected}
        aria-level={state?.level}
        aria-expanded={state?.open}
        class={kind}
      >
        {columns.map((c) => (
          <td key={c.key} role="gridcell" class={c.align}>
            {c.cell(row)}
          </td>
        ))}
      </tr>
    );
  }
}

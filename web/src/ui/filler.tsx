interface Props {
  /** Number of rows that are not in the page. */
  readonly rows: number;
  readonly rowHeight: number;
  readonly columns: number;
}

/** Space in a table for rows that are not in the page. */
export function Filler({ rows, rowHeight, columns }: Props) {
  if (rows <= 0) return null;
  return (
    <tr aria-hidden="true" style={{ height: `${rows * rowHeight}px` }}>
      <td colSpan={columns} />
    </tr>
  );
}

/** Number `i` of a column of a report; 0 if the column is shorter. */
export function numberAt(column: ArrayLike<number>, i: number): number {
  return column[i] ?? 0;
}

/** Number `i` of a column of a report; 0 past its end. */
export function numberAt(column: ArrayLike<number>, i: number): number {
  return column[i] ?? 0;
}

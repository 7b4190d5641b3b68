import type { FlameReport } from '../../api/types';

/**
 * The callers of a zoomed box, put above it as boxes of the full width, so that a zoom never hides where the code was
 * called from. The server's answer names them (`above`) without sums; sums come later, by id.
 */

/** A flame graph whose boxes before `root` are the callers of the zoomed box, outermost first. */
export interface RootedFlame extends FlameReport {
  /** Box that fills the width; 0 without zoom. */
  readonly root: number;
}

/** Sums of one caller, in the columns of a flame graph. */
export interface CallerSums {
  readonly cum: number;
  readonly flat: number;
  readonly cumBase: number;
  readonly flatBase: number;
}

/** Box id → its sums. */
export type SumsById = ReadonlyMap<string, CallerSums>;

const NO_SUMS: SumsById = new Map();

/** Whether `report` begins with a zoomed box: everything has no id. */
function isZoomed(report: FlameReport): boolean {
  return (report.id[0] ?? '') !== '';
}

/** Sums of all boxes with an id. */
export function sumsById(report: FlameReport): SumsById {
  return new Map(
    report.id.map((id, box) => [
      id,
      {
        cum: report.cum[box] ?? 0,
        flat: report.flat[box] ?? 0,
        cumBase: report.cum_base[box] ?? 0,
        flatBase: report.flat_base[box] ?? 0,
      },
    ]),
  );
}

/** Puts the callers above the zoomed box; sums that are not known are NaN. O(boxes). */
export function withCallers(report: FlameReport, sums: SumsById = NO_SUMS): RootedFlame {
  if (!isZoomed(report)) return { ...report, root: 0 };
  const { header } = report;
  const everything: CallerSums = { cum: header.value_total, flat: 0, cumBase: header.base_total, flatBase: 0 };
  const ids = ['', ...report.above_id];
  const callers = ids.map((id) => (id === '' ? everything : sums.get(id)));
  const n = ids.length;
  const before = (column: readonly number[], of: (caller: CallerSums | undefined) => number): readonly number[] =>
    column.length === 0 ? column : [...callers.map(of), ...column];
  const zeros = (column: readonly number[]): readonly number[] => before(column, () => 0);
  return {
    ...report,
    root: n,
    above: [],
    above_id: [],
    node: [-1, ...report.above, ...report.node],
    depth: [...ids.keys(), ...report.depth.map((d) => d + n)],
    cum: before(report.cum, (c) => c?.cum ?? Number.NaN),
    flat: before(report.flat, (c) => c?.flat ?? Number.NaN),
    cum_base: before(report.cum_base, (c) => c?.cumBase ?? Number.NaN),
    flat_base: before(report.flat_base, (c) => c?.flatBase ?? Number.NaN),
    cum_companion: zeros(report.cum_companion),
    cum_samples: zeros(report.cum_samples),
    cum_error: zeros(report.cum_error),
    cum_change_error: zeros(report.cum_change_error),
    cum_grown: zeros(report.cum_grown),
    cum_shrunk: zeros(report.cum_shrunk),
    inlined: zeros(report.inlined),
    id: [...ids, ...report.id],
  };
}

/** `report` with the sums of its callers, as they came. */
export function withSums(report: RootedFlame, sums: SumsById): RootedFlame {
  if (report.root === 0 || sums.size === 0) return report;
  const put = (column: readonly number[], of: (caller: CallerSums) => number): readonly number[] =>
    column.map((old, box) => {
      const caller = box > 0 && box < report.root ? sums.get(report.id[box] ?? '') : undefined;
      return caller === undefined ? old : of(caller);
    });
  return {
    ...report,
    cum: put(report.cum, (c) => c.cum),
    flat: put(report.flat, (c) => c.flat),
    cum_base: put(report.cum_base, (c) => c.cumBase),
    flat_base: put(report.flat_base, (c) => c.flatBase),
  };
}

import type { DumpMeta, GrowthReport, Row } from '../../api/types';
import { pairOf, patchOf, shownOf } from '../dumps';
import { functionOf } from '../names/names';
import { exactly, filterPattern } from '../names/pattern';
import type { Patch, ViewUrl } from '../url/view-url';

/** The shown dump and the baseline of a series in the address, and how to change them. */

/** Positions in the series; −1 for none or several. */
export interface Marks {
  readonly shown: number;
  readonly base: number;
  /** Whether the address names the shown dump; if not, the newest one is shown. */
  readonly named: boolean;
}

export function marksOf(report: Pick<GrowthReport, 'dump'>, url: ViewUrl, dumps: readonly DumpMeta[]): Marks {
  const pair = pairOf(url);
  const place = (number: string): number => report.dump.findIndex(({ dump }) => String(dump) === number);
  return { shown: place(shownOf(pair, dumps)), base: pair.base === '' ? -1 : place(pair.base), named: pair.shown !== '' };
}

function numberAt({ dump }: Pick<GrowthReport, 'dump'>, at: number): string {
  return String(dump[at]?.dump ?? '');
}

/** Shows one dump alone. */
export function show(report: Pick<GrowthReport, 'dump'>, url: ViewUrl, at: number): Patch {
  return patchOf(url, { shown: numberAt(report, at), base: '' });
}

/** Compares two dumps: the earlier one is the base, whichever end the drag started from. */
export function compare(report: Pick<GrowthReport, 'dump'>, url: ViewUrl, a: number, b: number): Patch {
  if (a === b) return show(report, url, a);
  return patchOf(url, { shown: numberAt(report, Math.max(a, b)), base: numberAt(report, Math.min(a, b)) });
}

/** Position that a key moves to; undefined for other keys. */
export function moved(key: string, at: number, n: number): number | undefined {
  const page = Math.max(1, Math.round(n / 10));
  const to: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    PageUp: at + page,
    PageDown: at - page,
    Home: 0,
    End: n - 1,
  };
  const wanted = to[key];
  return wanted === undefined ? undefined : Math.max(0, Math.min(n - 1, wanted));
}

/** Parameters that keep only the memory of a row. */
export function onlyThis(by: string, row: Row): Patch {
  switch (by) {
    case 'culprits':
      return { blame: exactly(functionOf(row)), zoom: '' };
    case 'packages':
      return { package: exactly(row.package || row.name), zoom: '' };
    case 'types':
      return { type: exactly(row.full_name || row.name), zoom: '' };
    case 'modules':
      // `a::b::` of Rust and C++, `a/b.` of Go.
      return { f: `\\b${exactly(row.name).slice(1, -1)}(::|[.])`, zoom: '' };
    default:
      return { f: filterPattern(functionOf(row)), zoom: '' };
  }
}

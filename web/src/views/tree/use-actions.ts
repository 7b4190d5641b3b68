import { useEffect, useRef } from 'preact/hooks';
import type { FlameReport } from '../../api/types';
import { numberAt } from '../../logic/number-at';
import { functionOf } from '../../logic/names/names';
import { hottestEnd, openAfter, rowKey, rowOfKey, treeState, type TreeChange, type TreeRows } from '../../logic/table/tree-rows';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';

export interface TreeActions {
  readonly select: (at: number) => void;
  /** Opens or closes a row. */
  readonly toggle: (at: number) => void;
  /** Opens the largest row of every level from a row on; from the first level if it is negative. */
  readonly hottest: (at: number) => void;
  /** Handles a key of the tree at a row; returns whether it did. */
  readonly onKey: (key: string, at: number) => boolean;
}

/** Selects, opens and closes rows of the tree; open rows are in the address. */
export function useTreeActions(store: Store, report: FlameReport, rows: TreeRows): TreeActions {
  // Row whose hottest path was requested: its end is selected once the path is loaded.
  const goal = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (goal.current === undefined) return;
    const from = goal.current === '' ? 0 : rowOfKey(report, rows, goal.current);
    goal.current = undefined;
    if (from >= 0 && from < rows.n) select(hottestEnd(report, rows, from));
  }, [report]);
  const select = (at: number): void => {
    const row = report.row[numberAt(report.node, numberAt(rows.box, at))];
    store.adjust(row === undefined ? { node: rowKey(report, rows, at) } : { node: rowKey(report, rows, at), sel: functionOf(row) });
  };
  const change = (what: TreeChange): void => {
    const open = openAfter(report, rows, param(store.url.value, 'open'), what);
    if (open === undefined) store.notify('Too many open rows for one link: close some, or focus on a function');
    else if (what.kind === 'hottest' || what.kind === 'hottest-of-all') {
      goal.current = what.kind === 'hottest' ? rowKey(report, rows, what.row) : '';
      store.go({ open });
    } else store.adjust({ open });
  };
  const toggle = (at: number): void => {
    const state = treeState(report, rows, at);
    if (state === 'folded') change({ kind: 'all', row: at });
    else if (state !== 'leaf') change({ kind: state === 'open' ? 'close' : 'open', row: at });
  };
  const hottest = (at: number): void => {
    change(at < 0 ? { kind: 'hottest-of-all' } : { kind: 'hottest', row: at });
  };
  const onKey = (key: string, at: number): boolean => {
    if (key === 'e' || key === '*') hottest(at);
    else if (at < 0) return false;
    else if (key === 'ArrowRight') {
      if (treeState(report, rows, at) === 'open') select(at + 1);
      else toggle(at);
    } else if (key === 'ArrowLeft') {
      if (treeState(report, rows, at) === 'open') toggle(at);
      else if (numberAt(rows.parent, at) >= 0) select(numberAt(rows.parent, at));
    } else return false;
    return true;
  };
  return { select, toggle, hottest, onKey };
}

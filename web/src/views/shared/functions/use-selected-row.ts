import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { functionOf } from '../../../logic/names/names';
import { rowAt, rowOfFunction } from '../../../logic/table/row-pages';
import type { Store } from '../../../state/store';

/** Row that keys start from: the last chosen one while it belongs to the selected function, else that function's first row. */
export function useSelectedRow(store: Store, n: number): { readonly row: number; readonly select: (at: number) => void } {
  const cursor = useSignal(-1);
  const pending = useSignal(false);
  const pages = store.table.pages.value;
  const name = store.selected.value;
  const sought = store.table.sought.value;
  const isAt = (at: number): boolean => {
    const row = rowAt(pages, at)?.row;
    return row !== undefined && functionOf(row) === name;
  };
  const here = useMemo(() => (name === '' ? -1 : rowOfFunction(pages, name)), [pages, name]);
  const waiting = cursor.value >= 0 && cursor.value < n && rowAt(pages, cursor.value) === undefined;
  const row = waiting || (name !== '' && isAt(cursor.value)) ? cursor.value : here >= 0 ? here : sought?.name === name ? sought.at : -1;
  useEffect(() => {
    if (name !== '' && row < 0 && pages.size > 0) store.table.seek(name);
  }, [name, row, pages]);
  // A row that was jumped to before it was loaded is selected once it is.
  const loaded = rowAt(pages, cursor.value)?.row;
  useEffect(() => {
    if (loaded !== undefined && cursor.value >= 0 && functionOf(loaded) !== name && pending.value) store.select(loaded);
    pending.value = false;
  }, [loaded]);
  return {
    row,
    select: (at) => {
      const there = rowAt(pages, at)?.row;
      cursor.value = at;
      pending.value = there === undefined;
      if (there !== undefined) store.select(there);
      // Fetched at once, not only after the scroll: otherwise the page looks idle with rows missing.
      else store.table.want(at, at + 1, n);
    },
  };
}

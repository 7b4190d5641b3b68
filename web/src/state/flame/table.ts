import { computed, type ReadonlySignal } from '@preact/signals';
import { isReport, type AnyReport } from '../../api/guards';
import { PAGE_ROWS } from '../../logic/table/row-pages';
import { apiPath, param, type ViewUrl } from '../../logic/url/view-url';
import type { Busy } from '../page/busy';
import { ERROR_COLUMNS, orderWord } from '../report/main-path';
import { createReportState, type ReportState } from '../report/report-state';
import { createTablePages, type TablePages } from '../report/table-pages';

/** Table of functions beside the flame graph; zoom does not change it. */
export interface FlameTable {
  readonly pane: ReportState<AnyReport>;
  readonly pages: TablePages;
}

function tablePath(url: ViewUrl): string {
  return apiPath(url, 'top', { rows: `0-${PAGE_ROWS}`, order: orderWord(url), ...ERROR_COLUMNS });
}

const tables = new WeakMap<ReportState<AnyReport>, FlameTable>();

/** Fetches the table while the split view is open, and again with every new graph. */
export function flameTable(url: ReadonlySignal<ViewUrl>, main: ReportState<AnyReport>, busy: Busy, doubt: () => void): FlameTable {
  const known = tables.get(main);
  if (known !== undefined) return known;
  let answers = 0;
  const generation = computed(() => {
    void main.report.value;
    return ++answers;
  });
  const path = computed(() => (url.value.view === 'flame' && param(url.value, 'split') === 't' ? tablePath(url.value) : undefined));
  const pane = createReportState(path, generation, isReport, busy, () => param(url.peek(), 'unit') || 'auto');
  const table = { pane, pages: createTablePages(pane, busy, doubt) };
  tables.set(main, table);
  return table;
}

import { batch, effect, signal, type ReadonlySignal } from '@preact/signals';
import { getJson } from '../../api/fetch';
import { isTop, type AnyReport } from '../../api/guards';
import type { TopReport } from '../../api/types';
import { missingPages, PAGE_ROWS, withPage, type Pages } from '../../logic/table/row-pages';
import { functionOf } from '../../logic/names/names';
import type { Busy } from '../page/busy';
import type { ReportState } from './report-state';

/** Rows of the table that were scrolled to. */
export interface TablePages {
  readonly pages: ReadonlySignal<Pages>;
  /** Row of the function that was looked up; −1 if it is not in the table. */
  readonly sought: ReadonlySignal<{ readonly name: string; readonly at: number } | undefined>;
  /** Rows `first..last` of `n` are on the screen. */
  want(first: number, last: number, n: number): void;
  seek(name: string): void;
}

/** Pages that are only scrolled past are not fetched. */
const PAUSE_MS = 60;
const NO_PAGES: Pages = new Map();

/** Fetches rows that are scrolled to; the view's own report is the first page. `doubt` is called for requests without an answer: once the server is back, all pages are fetched again. */
export function createTablePages(main: ReportState<AnyReport>, busy: Busy, doubt: () => void): TablePages {
  const pages = signal<Pages>(NO_PAGES);
  const sought = signal<{ readonly name: string; readonly at: number } | undefined>(undefined);
  let abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: (() => void) | undefined;
  const requested = new Set<number>();

  effect(() => {
    const report = main.report.value;
    abort.abort();
    abort = new AbortController();
    clearTimeout(timer);
    end?.();
    requested.clear();
    batch(() => {
      pages.value = report?.kind === 'top' ? new Map([[0, report]]) : NO_PAGES;
      sought.value = undefined;
    });
  });
  const path = (rows: string, seek?: string): string => rowsPath(main.shownPath.peek(), rows, seek);
  const loadPage = async (number: number, signal: AbortSignal): Promise<void> => {
    const done = busy.begin();
    requested.add(number);
    const answer = await getJson(path(`${number * PAGE_ROWS}-${PAGE_ROWS}`), isTop, signal);
    done();
    if (signal.aborted) return;
    requested.delete(number);
    const outputUnit = main.report.peek()?.header.output_unit ?? 'auto';
    if (answer?.ok === true) pages.value = withPage(pages.peek(), number, inUnit(answer.value, outputUnit));
    else if (answer?.problem.kind === 'unreachable') doubt();
  };
  const findRow = async (name: string, signal: AbortSignal): Promise<void> => {
    const done = busy.begin();
    const answer = await getJson(path('0-1', name), isTop, signal);
    done();
    if (answer?.ok !== true || signal.aborted) return;
    const isIt = answer.value.row.some((row) => functionOf(row) === name);
    sought.value = { name, at: isIt ? answer.value.offset : -1 };
  };
  return {
    pages,
    sought,
    want: (first, last, n) => {
      clearTimeout(timer);
      end?.();
      if (missingPages(pages.peek(), first, last, n).every((number) => requested.has(number))) return;
      end = busy.begin();
      const { signal } = abort;
      timer = setTimeout(() => {
        for (const number of missingPages(pages.peek(), first, last, n)) if (!requested.has(number)) void loadPage(number, signal);
        end?.();
      }, PAUSE_MS);
    },
    seek: (name) => {
      if (sought.peek()?.name !== name) void findRow(name, abort.signal);
    },
  };
}

/** The path of a report, for other rows; `seek`: for the row of this function. */
function rowsPath(path: string, rows: string, seek = ''): string {
  const [front = '', query = ''] = path.split('?', 2);
  const params = new URLSearchParams(query);
  params.set('rows', rows);
  if (seek !== '') params.set('seek', seek);
  return `${front}?${params.toString()}`;
}

/** One unit for the numbers of all pages. */
function inUnit(page: TopReport, outputUnit: string): TopReport {
  return { ...page, header: { ...page.header, output_unit: outputUnit } };
}

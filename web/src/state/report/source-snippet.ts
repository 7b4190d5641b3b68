import { computed, type ReadonlySignal } from '@preact/signals';
import { getJson } from '../../api/fetch';
import { isSource, type Tagged } from '../../api/guards';
import type { PeekReport, Row, SourceReport } from '../../api/types';
import { functionOf } from '../../logic/names/names';
import { functionPattern, peekName } from '../../logic/names/pattern';
import { foldsClosures } from '../../logic/url/show-level';
import { firstLine } from '../../logic/source/lines';
import { apiPath, type ViewUrl } from '../../logic/url/view-url';
import type { Busy } from '../page/busy';
import { createReportState, type ReportState } from './report-state';

/** Lines to each side of the heaviest one. */
const AROUND = '3';

/** API path for a few lines of a function. */
function snippetPath(url: ViewUrl, name: string): string {
  return apiPath(url, 'source', {
    list: functionPattern(name, foldsClosures(url)),
    list_around: AROUND,
    list_files: '',
    line_code: '',
    g: '',
  });
}

/** A few lines of the selected function, once it is known that it has a file. */
export function createSnippet(
  url: ReadonlySignal<ViewUrl>,
  selected: ReadonlySignal<string>,
  details: ReportState<Tagged<'peek', PeekReport>>,
  generation: ReadonlySignal<number>,
  busy: Busy,
  unit: () => string,
): ReportState<Tagged<'source', SourceReport>> {
  const path = computed(() => {
    const name = selected.value;
    if (name === '' || url.value.view === 'source') return undefined;
    const entry = details.report.value?.entry.find((e) => functionOf(e.row) === peekName(name));
    if (entry === undefined || entry.row.file === '' || entry.row.file === name) return undefined;
    return snippetPath(url.value, name);
  });
  return createReportState(path, generation, isSource, busy, unit);
}

/** Fetches the file and the heaviest line of a function; undefined if the file is not on this machine. */
export async function fetchSourceLine(url: ViewUrl, row: Row): Promise<{ readonly path: string; readonly line: number } | undefined> {
  const name = functionOf(row);
  const answer = await getJson(snippetPath(url, name), isSource, new AbortController().signal);
  const entry = answer?.ok === true ? answer.value.entry.find((e) => e.path !== '') : undefined;
  return entry === undefined ? undefined : { path: entry.path, line: firstLine(entry) };
}

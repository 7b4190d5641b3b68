import { computed, type ReadonlySignal } from '@preact/signals';
import { getJson } from '../api/fetch';
import { isSource, type Tagged } from '../api/guards';
import type { PeekReport, Row, SourceReport } from '../api/types';
import { editorLink, type Editor } from '../logic/editor';
import { functionOf } from '../logic/names';
import { functionPattern, peekName } from '../logic/pattern';
import { foldsClosures } from '../logic/show';
import { firstLine } from '../logic/source-lines';
import { apiPath, type ViewUrl } from '../logic/view-url';
import type { Busy } from './busy';
import { createPane, type Pane } from './pane';

/** Lines to each side of the heaviest one. */
const AROUND = '3';

/** Where the API answers with a few lines of a function. */
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
  details: Pane<Tagged<'peek', PeekReport>>,
  generation: ReadonlySignal<number>,
  busy: Busy,
  unit: () => string,
): Pane<Tagged<'source', SourceReport>> {
  const path = computed(() => {
    const name = selected.value;
    if (name === '' || url.value.view === 'source') return undefined;
    const entry = details.report.value?.entry.find((e) => functionOf(e.row) === peekName(name));
    if (entry === undefined || entry.row.file === '' || entry.row.file === name) return undefined;
    return snippetPath(url.value, name);
  });
  return createPane(path, generation, isSource, busy, unit);
}

/** Asks where a function's heaviest line is on this machine; the link that opens it there, or why there is none. */
export async function askEditorLink(url: ViewUrl, row: Row, editor: Editor): Promise<{ readonly link: string } | { readonly why: string }> {
  if (editor === 'none') return { why: 'No editor is chosen: the Source view has the choice' };
  const name = functionOf(row);
  const answer = await getJson(snippetPath(url, name), isSource, new AbortController().signal);
  const entry = answer?.ok === true ? answer.value.entry.find((e) => e.path !== '') : undefined;
  const link = entry === undefined ? undefined : editorLink(editor, entry.path, firstLine(entry));
  return link === undefined ? { why: 'Its source file is not on this machine' } : { link };
}

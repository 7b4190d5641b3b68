import type { Header, SourceEntry, SourceReport } from '../../api/types';
import { EDITORS, editorLink, editorLabel, isEditor } from '../../logic/source/editor';
import { formatCount, formatExact, formatPercent, formatValue, plural } from '../../logic/text/format';
import { displayName } from '../../logic/names/names';
import { hotLines, nextHot } from '../../logic/source/lines';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Delta } from '../../ui/delta';
import { Segmented, Select } from '../../ui/select';
import { showsCode, switchCode } from './keys';

interface Props {
  readonly store: Store;
  readonly report: SourceReport;
  readonly entries: readonly SourceEntry[];
  readonly entry: SourceEntry;
  readonly line: number;
  readonly onLine: (line: number) => void;
}

/** Name and values of the function, and buttons to its hot lines. */
export function SourceBar({ store, report, entries, entry, line, onLine }: Props) {
  const { header } = report;
  const url = store.url.value;
  const hasCode = showsCode(store);
  return (
    <>
      <div class="view-bar source-bar">
        <button
          type="button"
          onClick={() => {
            store.go({ list: '', line: '', lines: '', in: '' });
          }}
        >
          All functions
        </button>
        <Entries store={store} entries={entries} entry={entry} />
        <span class="gap" />
        <HotLines entry={entry} line={line} onLine={onLine} />
        <button
          type="button"
          class={hasCode ? 'switch on' : 'switch'}
          aria-pressed={hasCode}
          title="Machine code beside the lines (d)"
          onClick={() => {
            switchCode(store);
          }}
        >
          Disassembly
        </button>
        {hasCode && (
          <Segmented
            name="intel_syntax"
            label="How instructions are written"
            value={param(url, 'intel_syntax') === '' ? '' : 't'}
            options={[
              { value: '', label: 'AT&T' },
              { value: 't', label: 'Intel' },
            ]}
            onChange={(v) => {
              store.go({ intel_syntax: v });
            }}
          />
        )}
        {entry.path !== '' && <EditorLink store={store} path={entry.path} line={line} />}
      </div>
      <SourceHead header={header} entry={entry} />
    </>
  );
}

/** Buttons to the hot lines. */
function HotLines({ entry, line, onLine }: Pick<Props, 'entry' | 'line' | 'onLine'>) {
  const hot = hotLines(entry).length;
  const jump = (way: 1 | -1): void => {
    const next = nextHot(entry, line, way);
    if (next !== undefined) onLine(next);
  };
  return (
    <span class="source-jump" role="group" aria-label="Hot lines">
      <button
        type="button"
        title="Hot line above (p)"
        aria-label="Hot line above"
        disabled={hot === 0}
        onClick={() => {
          jump(-1);
        }}
      >
        ↑
      </button>
      <button
        type="button"
        title="Hot line below (n)"
        aria-label="Hot line below"
        disabled={hot === 0}
        onClick={() => {
          jump(1);
        }}
      >
        ↓
      </button>
      <span class="muted">{plural(hot, 'hot line')}</span>
    </span>
  );
}

/** Name, file and sums of the function. */
function SourceHead({ header, entry }: { readonly header: Header; readonly entry: SourceEntry }) {
  const value = Math.abs(entry.cum) >= Math.abs(entry.cum_base) ? entry.cum : entry.cum_base;
  return (
    <div class="source-head">
      <bdi class="mono source-name" title={entry.name}>
        {entry.name === '' ? `[${entry.object}]` : displayName(entry.name)}
      </bdi>
      <bdi class="mono muted source-file" title={entry.path || entry.file}>
        {entry.file}
      </bdi>
      <span class="source-sum" title={formatExact(entry.flat, header.unit)}>
        self <b>{formatValue(entry.flat, header.unit, header.output_unit)}</b>
      </span>
      <span class="source-sum" title={formatExact(entry.cum, header.unit)}>
        total <b>{formatValue(entry.cum, header.unit, header.output_unit)}</b> {formatPercent(value, header.value_total)}
      </span>
      {header.has_base && <Delta value={entry.cum} base={entry.cum_base} unit={header.unit} outputUnit={header.output_unit} />}
    </div>
  );
}

/** Choice among several functions or files. */
function Entries({ store, entries, entry }: Pick<Props, 'store' | 'entries' | 'entry'>) {
  if (entries.length < 2) return null;
  const label = (e: SourceEntry): string => `${displayName(e.name).slice(0, 100)} · ${e.file.split('/').slice(-2).join('/') || 'no file'}`;
  return (
    <Select
      name="entry"
      label={`${formatCount(entries.length)} functions match`}
      value={String(entries.indexOf(entry))}
      options={entries.map((e, i) => ({ value: String(i), label: label(e) }))}
      onChange={(i) => {
        const next = entries[Number(i)];
        if (next !== undefined) store.go({ sel: next.name, in: next.file, line: '', lines: '' });
      }}
    />
  );
}

function EditorLink({ store, path, line }: { readonly store: Store; readonly path: string; readonly line: number }) {
  const editor = store.prefs.editor.value;
  const link = editorLink(editor, path, line);
  return (
    <span class="source-editor">
      {link === undefined ? (
        <button
          type="button"
          name="open-editor"
          title={`${path}:${line} (e)`}
          onClick={() => {
            store.editing.open(path, line);
          }}
        >
          Open in editor…
        </button>
      ) : (
        <>
          <a class="button" href={link} title={`${path}:${line} (e)`}>
            Open in {editorLabel(editor)}
          </a>
          <Select
            name="editor"
            label="Editor for source files"
            value={editor}
            options={EDITORS.map(([value, label]) => ({ value, label }))}
            onChange={(v) => {
              if (isEditor(v)) store.prefs.setEditor(v);
            }}
          />
        </>
      )}
    </span>
  );
}

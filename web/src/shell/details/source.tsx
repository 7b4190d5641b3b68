import type { SourceEntry } from '../../api/types';
import { editorLabel, editorLink } from '../../logic/source/editor';
import { formatExact, formatValue } from '../../logic/text/format';
import { exactly } from '../../logic/names/pattern';
import { firstLine, heatOf, heaviest, netAt, untabbed } from '../../logic/source/lines';
import type { Store } from '../../state/store';
import { CodeText } from '../../ui/code-text';
import { usePieces } from '../../views/shared/use-highlighting';

/** A few lines around the heaviest one of the selected function, and a link to all of them. */
export function SourceSnippet({ store, name }: { readonly store: Store; readonly name: string }) {
  const entries = store.snippet.report.value?.entry ?? [];
  const entry = entries.find((e) => e.name === name && e.file !== '') ?? entries.find((e) => e.name === name);
  if (entry === undefined || entry.file === '') return null;
  return <Lines store={store} entry={entry} />;
}

function Lines({ store, entry }: { readonly store: Store; readonly entry: SourceEntry }) {
  const header = store.snippet.report.value?.header;
  const pieces = usePieces(store, entry);
  const most = heaviest(entry);
  const line = firstLine(entry);
  const { number: numbers, text: texts, cum, cum_base: base } = entry.lines;
  const link = editorLink(store.prefs.editor.value, entry.path, line);
  const go = { list: exactly(entry.name), sel: entry.name, in: entry.file, line: String(line), lines: '' };
  // Indentation that all lines share.
  const indents = texts.flatMap((text) => (text === null || text.trim() === '' ? [] : [untabbed(text).search(/\S/)]));
  const indent = indents.length === 0 ? 0 : Math.min(...indents);
  return (
    <section class="links snippet" aria-label="Source">
      <h3>
        Source{' '}
        <a
          href={store.href(go, 'source')}
          onClick={(e) => {
            if (e.ctrlKey || e.metaKey || e.shiftKey) return;
            e.preventDefault();
            store.go(go, 'source');
          }}
        >
          Open full source
        </a>
        {link !== undefined && <a href={link}>{editorLabel(store.prefs.editor.value)}</a>}
      </h3>
      {entry.problem !== '' && (
        <p class="muted">
          Source file not found. <a href={store.href(go, 'source')}>See where we looked →</a>
        </p>
      )}
      {entry.problem === '' && (
        <div class="snippet-lines" style={{ '--indent': `${indent}ch` }}>
          {numbers.map((number, i) => {
            const net = netAt(cum, base, i);
            const text = texts[i];
            if (text === null || text === undefined) return null;
            return (
              <div
                key={number}
                class={`snippet-line heat-${heatOf(net, most)} ${net < 0 ? 'shrank' : ''}`}
                title={net === 0 || header === undefined ? '' : `${formatExact(net, header.unit)} in total`}
              >
                <span class="snippet-number">{number}</span>
                <span class="snippet-text">
                  <CodeText pieces={pieces.get(i)} text={untabbed(text)} />
                </span>
                {net !== 0 && header !== undefined && (
                  <span class="snippet-value">{formatValue(net, header.unit, header.output_unit)}</span>
                )}
              </div>
            );
          })}
        </div>
      )}
    </section>
  );
}

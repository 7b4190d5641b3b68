import type { MissingSource, SourceEntry, SourceReport } from '../../api/types';
import { plural } from '../../logic/text/format';
import { exactly } from '../../logic/names/pattern';
import type { Store } from '../../state/store';

interface Props {
  readonly store: Store;
  readonly report: SourceReport;
  readonly entry: SourceEntry;
}

/** Searched folders and advice for a missing source file; lists other missing files. */
export function SourceMissing({ store, report, entry }: Props) {
  const others = report.missing.filter((m) => m.file !== entry.file);
  if (entry.file === '')
    return (
      <div class="source-missing" role="status">
        <h3>The profile has no source location for this function</h3>
        <p class="muted">
          No line information: the program was built without debug information (<code>-g</code>,{' '}
          <code>debug = &quot;line-tables-only&quot;</code>), or its debug file is missing.
        </p>
      </div>
    );
  const missing = report.missing.find((m) => m.file === entry.file);
  if (entry.problem === '' && others.length === 0) return null;
  return (
    <div class="source-missing" role="status">
      {missing !== undefined && <Missing store={store} missing={missing} />}
      {missing === undefined && entry.problem !== '' && (
        <>
          <h3>Source unavailable</h3>
          <p>{entry.problem}</p>
          <button
            type="button"
            onClick={() => {
              store.go({ list: exactly(entry.name), sel: entry.name, in: entry.file });
            }}
          >
            Show this function alone
          </button>
        </>
      )}
      {others.length > 0 && (
        <details>
          <summary>{plural(others.length, 'other file')} not found</summary>
          <ul class="mono">
            {others.map((m) => (
              <li key={m.file}>
                <bdi>{m.file}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Missing({ store, missing }: { readonly store: Store; readonly missing: MissingSource }) {
  const copy = async (): Promise<void> => {
    store.notify((await store.browser.copy(missing.advice)) ? 'Copied' : `The browser did not allow copying: ${missing.advice}`);
  };
  return (
    <>
      <h3>
        <bdi class="mono">{missing.file}</bdi> was not found
      </h3>
      {missing.tried.length > 0 && (
        <p class="muted">
          Looked in{' '}
          {missing.tried.map((place, i) => (
            <>
              {i > 0 && ', '}
              <bdi key={place} class="mono">
                {place}
              </bdi>
            </>
          ))}
        </p>
      )}
      {missing.advice !== '' && (
        <p class="source-advice">
          <span class="muted">Try:</span> <code class="mono">{missing.advice}</code>
          <button
            type="button"
            class="link"
            onClick={() => {
              void copy();
            }}
          >
            Copy
          </button>
        </p>
      )}
    </>
  );
}

import { useEffect, useState } from 'preact/hooks';
import type { Kind } from '../../api/types';
import { kindLabel, MOVES } from '../../logic/ownership/package';
import type { Store } from '../../state/store';
import { Icon } from '../../ui/icons';
import { PopoverButton } from '../../ui/popover/button';

interface Props {
  readonly store: Store;
}

/** The user's rules about code ownership: they are in the address, and can be copied into a file. */
export function RulesMenu({ store }: Props) {
  const n = store.rules.value?.rule.length ?? 0;
  return (
    <PopoverButton
      name="rules"
      text={n === 0 ? 'Ownership' : `Ownership (${n})`}
      title="Code ownership: which package counts as your code, a library, runtime or allocator"
    >
      {() => <Panel store={store} />}
    </PopoverButton>
  );
}

function Panel({ store }: Props) {
  const { rule: rules = [], toml = '' } = store.rules.value ?? {};
  return (
    <div class="views-panel rules-panel" role="dialog" aria-label="Code ownership">
      <NewRule store={store} />
      {rules.length === 0 && <p class="hint">No custom rules. Ownership is inferred from paths and names.</p>}
      <ul>
        {rules.map(({ target, kind, package: of }, at) => (
          <li key={`${target} ${at}`} class="views-row">
            <bdi class="rule-target mono" title={target}>
              {target}
            </bdi>
            {of !== '' && <span class="muted">as {of}</span>}
            <KindSelect
              label={`Kind of ${target}`}
              kind={kind}
              onChange={(to) => {
                store.changeRules({ at: String(at), to });
              }}
            />
            <button
              type="button"
              class="quiet"
              aria-label={`Remove the rule ${target}`}
              onClick={() => {
                store.changeRules({ at: String(at) });
              }}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <div class="views-file">
        <button
          type="button"
          disabled={rules.length === 0}
          onClick={() => {
            void store.browser.copy(toml).then((done) => {
              store.notify(done ? 'Copied. Paste it into heapview.toml in your project' : 'The browser did not allow copying');
            });
          }}
        >
          Copy as heapview.toml
        </button>
      </div>
    </div>
  );
}

function NewRule({ store }: Props) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isCurrent = true;
    void store.problemOfRules(typed).then((found) => {
      if (isCurrent) setProblem(found);
    });
    return () => {
      isCurrent = false;
    };
  }, [store, typed]);
  return (
    <>
      <form
        class="views-save"
        onSubmit={(e) => {
          e.preventDefault();
          if (problem !== '' || typed.trim() === '') return;
          store.changeRules({ add: typed });
          setTyped('');
        }}
      >
        <input
          type="text"
          name="rule"
          aria-label="New rule: pattern=kind"
          placeholder="serde*=own or file:*/vendor/zlib/*=third_party/zlib"
          aria-invalid={problem !== ''}
          value={typed}
          onInput={(e) => {
            setTyped(e.currentTarget.value);
          }}
        />
        <button type="submit">Add</button>
      </form>
      {problem !== '' && (
        <p class="hint" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

interface KindProps {
  readonly label: string;
  readonly kind: Kind;
  readonly onChange: (kind: Kind) => void;
}

/** Kind of code, with a list to change it. */
export function KindSelect({ label, kind, onChange }: KindProps) {
  return (
    <select
      class="kind-select"
      aria-label={label}
      title={label}
      value={kind}
      onChange={(e) => {
        const to = MOVES.find((k) => k === e.currentTarget.value);
        if (to !== undefined) onChange(to);
      }}
    >
      {!MOVES.includes(kind) && <option value={kind}>{kindLabel(kind)}</option>}
      {MOVES.map((k) => (
        <option key={k} value={k}>
          {kindLabel(k)}
        </option>
      ))}
    </select>
  );
}

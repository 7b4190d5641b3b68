import { useState } from 'preact/hooks';
import { readRules, rulesText, type KindRule } from '../../logic/ownership/kind-rules';
import { changed, MOVES, rulesOf, rulesToml, without } from '../../logic/ownership/edit-rules';
import { kindLabel, type Kind } from '../../logic/ownership/package';
import { param } from '../../logic/url/view-url';
import type { Store } from '../../state/store';
import { Icon } from '../../ui/icons';
import { PopoverButton } from '../../ui/popover/button';

interface Props {
  readonly store: Store;
}

/** The user's rules about code ownership: they are in the address, and can be copied into a file. */
export function RulesMenu({ store }: Props) {
  const n = rulesOf(param(store.url.value, 'kinds')).length;
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
  const text = param(store.url.value, 'kinds');
  const rules = rulesOf(text);
  const set = (kinds: string): void => {
    store.go({ kinds, zoom: '' });
  };
  return (
    <div class="views-panel rules-panel" role="dialog" aria-label="Code ownership">
      <NewRule
        onAdd={(more) => {
          set(rulesText([...more, ...rules]));
        }}
      />
      {rules.length === 0 && <p class="hint">No custom rules. Ownership is inferred from paths and names.</p>}
      <ul>
        {rules.map((rule, at) => {
          const target = `${rule.on === 'package' ? '' : `${rule.on}:`}${rule.pattern}`;
          return (
            <li key={`${target} ${at}`} class="views-row">
              <bdi class="rule-target mono" title={target}>
                {target}
              </bdi>
              {rule.package !== '' && <span class="muted">as {rule.package}</span>}
              <KindSelect
                label={`Kind of ${target}`}
                kind={rule.kind}
                onChange={(kind) => {
                  set(changed(text, at, kind));
                }}
              />
              <button
                type="button"
                class="quiet"
                aria-label={`Remove the rule ${target}`}
                onClick={() => {
                  set(without(text, at));
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          );
        })}
      </ul>
      <div class="views-file">
        <button
          type="button"
          disabled={rules.length === 0}
          onClick={() => {
            void store.browser.copy(rulesToml(text)).then((done) => {
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

function NewRule({ onAdd }: { readonly onAdd: (rules: readonly KindRule[]) => void }) {
  const [typed, setTyped] = useState('');
  const read = readRules(typed);
  return (
    <>
      <form
        class="views-save"
        onSubmit={(e) => {
          e.preventDefault();
          if (typeof read === 'string' || read.length === 0) return;
          onAdd(read);
          setTyped('');
        }}
      >
        <input
          type="text"
          name="rule"
          aria-label="New rule: pattern=kind"
          placeholder="serde*=own or file:*/vendor/zlib/*=third_party/zlib"
          aria-invalid={typeof read === 'string'}
          value={typed}
          onInput={(e) => {
            setTyped(e.currentTarget.value);
          }}
        />
        <button type="submit">Add</button>
      </form>
      {typeof read === 'string' && (
        <p class="hint" role="alert">
          A rule is {read}
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

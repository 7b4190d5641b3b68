import { useRef, useState } from 'preact/hooks';
import { formatTime } from '../logic/format';
import { nameOf, pairOf, patchOf, shownOf, swapped, usual, withBase, type Pair } from '../logic/dumps';
import { baseName } from '../logic/names';
import type { Store } from '../state/store';
import { FilePicker } from './opening';

interface Props {
  readonly store: Store;
}

/** Which dump is shown, and which one it is compared with. */
export function Dumps({ store }: Props) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const meta = store.meta.value;
  const dumps = meta?.dumps ?? [];
  const url = store.url.value;
  const pair = pairOf(url);
  const choose = (next: Pair): void => {
    store.go(patchOf(url, next));
  };
  const shown = nameOf(shownOf(pair, dumps), dumps, baseName);
  const label =
    pair.base === ''
      ? dumps.length > 1
        ? `${shown}, compare with…`
        : 'compare with…'
      : `${shown} since ${nameOf(pair.base, dumps, baseName)}`;
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  // Nothing to choose from, and nothing can be opened.
  if (dumps.length < 2 && meta?.may_open !== true) return null;
  return (
    <div
      class="dumps"
      ref={box}
      onKeyDown={(e) => {
        if (e.key !== 'Escape' || !open) return;
        e.stopPropagation();
        close();
      }}
      onFocusOut={(e) => {
        if (e.relatedTarget instanceof Node && box.current?.contains(e.relatedTarget) === false) setOpen(false);
      }}
    >
      <button
        type="button"
        ref={button}
        class="dumps-button"
        name="dumps"
        aria-expanded={open}
        title="Which dump is shown, and which one it is compared with"
        onClick={() => {
          setOpen(!open);
        }}
      >
        {label}
      </button>
      {open && (
        <>
          <div
            class="dumps-shade"
            onPointerDown={() => {
              setOpen(false);
            }}
          />
          <div class="popover dumps-box" role="group" aria-label="Dumps">
            <table>
              <thead>
                <tr>
                  <th scope="col">Shown</th>
                  <th scope="col">Base</th>
                  <th scope="col">Dump</th>
                  <th scope="col">Taken</th>
                </tr>
              </thead>
              <tbody>
                <tr>
                  <Choice name="shown" label="Show all" on={pair.shown === ''} onChoose={() => choose({ ...pair, shown: '' })} />
                  <Choice name="base" label="No base" on={pair.base === ''} onChoose={() => choose(withBase(pair, '', dumps))} />
                  <td class="muted" colSpan={2}>
                    {usual(dumps).length > 1 ? 'all that were given, added' : 'what was given'}; no base
                  </td>
                </tr>
                {dumps.map((dump, i) => (
                  <tr key={i}>
                    <Choice
                      name="shown"
                      label={`Show ${baseName(dump.name)}`}
                      on={pair.shown === String(i)}
                      onChoose={() => choose({ base: pair.base === String(i) ? '' : pair.base, shown: String(i) })}
                    />
                    <Choice
                      name="base"
                      label={`Compare with ${baseName(dump.name)}`}
                      on={pair.base === String(i)}
                      onChoose={() => choose(withBase(pair, String(i), dumps))}
                    />
                    <td class="dumps-name mono" title={dump.name}>
                      <bdi>{baseName(dump.name)}</bdi>
                      {dump.is_base && <span class="tag">base</span>}
                      {dump.is_added && <span class="tag">opened</span>}
                    </td>
                    <td class="muted">{formatTime(dump.time_nanos) || 'time unknown'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <div class="dumps-ways">
              <button type="button" disabled={pair.base === ''} onClick={() => choose(swapped(pair, dumps))}>
                Swap
              </button>
              {meta?.may_open === true && <FilePicker store={store} purpose="base" label="Open a file to compare…" />}
              <button type="button" onClick={close}>
                Close
              </button>
            </div>
          </div>
        </>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly on: boolean;
  readonly onChoose: () => void;
}

function Choice({ name, label, on, onChoose }: ChoiceProps) {
  return (
    <td>
      <input type="radio" name={`dumps-${name}`} aria-label={label} checked={on} onChange={onChoose} />
    </td>
  );
}

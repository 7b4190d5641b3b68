import { useRef, useState } from 'preact/hooks';
import { formatTime, formatValue, plural } from '../logic/format';
import { nameOf, pairOf, patchOf, placeOf, processes, shownOf, swapped, takenAt, usualName, withBase, type Pair } from '../logic/dumps';
import { param } from '../logic/view-url';
import { baseName } from '../logic/names';
import type { Store } from '../state/store';
import type { DumpMeta } from '../api/types';
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
  const numbers = shownOf(pair, dumps);
  const place = placeOf(Number(numbers || 'x'), dumps);
  const shown = `${nameOf(numbers, dumps, baseName)}${place === '' ? '' : ` (${place})`}`;
  const all = processes(dumps);
  const nThinned = dumps.filter((dump) => dump.is_thinned === true).length;
  const types = meta?.value_types ?? [];
  const kind = param(url, 'si') || (meta?.default_value_type ?? '');
  const type = Math.max(
    0,
    types.findIndex((t) => t.kind === kind),
  );
  const total = (sums: readonly number[]): string => formatValue(sums[type] ?? 0, types[type]?.unit ?? '');
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
                  <th scope="col" class="number" title={types[type]?.kind}>
                    Total
                  </th>
                </tr>
              </thead>
              <tbody>
                <tr>
                  <Choice name="shown" label="Show all" on={pair.shown === ''} onChoose={() => choose({ ...pair, shown: '' })} />
                  <Choice name="base" label="No base" on={pair.base === ''} onChoose={() => choose(withBase(pair, '', dumps))} />
                  <td class="muted" colSpan={3}>
                    {usualName(dumps)}; no base
                  </td>
                </tr>
                {all.map((process) => (
                  <>
                    {process.series !== '' && (
                      <tr key={process.series} class="dumps-process">
                        <th scope="rowgroup" colSpan={5}>
                          <span class="mono">{process.series}</span> <span class="muted">{plural(process.dumps.length, 'dump')}</span>
                        </th>
                      </tr>
                    )}
                    {process.dumps.map((i) => (
                      <DumpRow key={i} dumps={dumps} i={i} pair={pair} total={total} choose={choose} />
                    ))}
                  </>
                ))}
              </tbody>
            </table>
            {nThinned > 0 && <p class="muted">{plural(nThinned, 'older dump')} thinned out by -watch to save memory</p>}
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

interface RowProps {
  readonly dumps: readonly DumpMeta[];
  readonly i: number;
  readonly pair: Pair;
  readonly total: (sums: readonly number[]) => string;
  readonly choose: (pair: Pair) => void;
}

function DumpRow({ dumps, i, pair, total, choose }: RowProps) {
  const dump = dumps[i];
  if (dump === undefined) return null;
  const number = String(i);
  const name = baseName(dump.name);
  const isShown = shownOf(pair, dumps) === number;
  return (
    <tr class={isShown ? 'dumps-shown' : ''}>
      <Choice
        name="shown"
        label={`Show ${name}`}
        on={pair.shown === number}
        onChoose={() => choose({ base: pair.base === number ? '' : pair.base, shown: number })}
      />
      <Choice name="base" label={`Compare with ${name}`} on={pair.base === number} onChoose={() => choose(withBase(pair, number, dumps))} />
      <td class="dumps-name mono" title={dump.name}>
        <bdi>{name}</bdi>
        {dump.is_base && <span class="tag">base</span>}
        {isShown && <span class="tag">shown</span>}
        {dump.is_added && dump.series === '' && <span class="tag">opened</span>}
      </td>
      <td class="muted">{formatTime(takenAt(dump)) || 'time unknown'}</td>
      <td class="number">{total(dump.totals)}</td>
    </tr>
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

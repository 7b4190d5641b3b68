import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { compilePattern } from '../logic/names/pattern';
import { Icon } from './icons';

interface Props {
  /** Name of the parameter. */
  readonly field: string;
  /** Caption of the chip. */
  readonly label: string;
  readonly text: string;
  readonly full: string;
  readonly broken: boolean;
  /** A switch: the chip shows its name alone. */
  readonly bare?: boolean;
  /** Whether the text is a regular expression. */
  readonly regex?: boolean;
  readonly onRemove: () => void;
  /** A click on the text edits it in place; undefined: it cannot be edited. */
  readonly onEdit?: ((text: string) => void) | undefined;
}

/** Labels that end with a preposition are followed by the text without a colon: `Grouped by thread`. */
const PREPOSITION = / (?:at|below|by|from|with)$/;

/** One active filter, with buttons to change and to remove it. */
export function Chip({ field, label, text, full, broken, bare = false, regex = false, onRemove, onEdit }: Props) {
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const pattern = regex && draft !== undefined ? compilePattern(draft) : undefined;
  const bad = pattern?.kind === 'bad' ? `At character ${pattern.at + 1}: ${pattern.message}` : '';
  const done = (): void => {
    if (draft === undefined || bad !== '') return;
    setDraft(undefined);
    if (draft !== full) onEdit?.(draft);
  };
  return (
    <span
      class={broken || bad !== '' ? 'chip broken' : 'chip'}
      title={bare ? label : PREPOSITION.test(label) ? `${label} ${full}` : `${label}: ${full}`}
      data-field={field}
    >
      <span class="chip-field">{bare || PREPOSITION.test(label) ? label : `${label}:`}</span>
      {draft !== undefined ? (
        <ChipInput label={label} draft={draft} bad={bad} onDraft={setDraft} onDone={done} />
      ) : bare ? null : onEdit === undefined ? (
        <bdi class="chip-text mono">{text}</bdi>
      ) : (
        <button
          type="button"
          class="chip-text mono"
          aria-label={`Change ${label} ${text.slice(0, 80)}`}
          onClick={() => {
            setDraft(full);
          }}
        >
          <bdi>{text}</bdi>
        </button>
      )}
      {bad !== '' && (
        <span class="chip-bad" role="alert">
          {bad}
        </span>
      )}
      <button type="button" class="chip-remove" aria-label={`Remove ${label} ${text.slice(0, 80)}`.trim()} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </span>
  );
}

interface InputProps {
  readonly label: string;
  readonly draft: string;
  /** Error in the draft; empty: none. */
  readonly bad: string;
  /** Undefined ends the editing. */
  readonly onDraft: (draft: string | undefined) => void;
  readonly onDone: () => void;
}

/** The text of a chip while it is edited. */
function ChipInput({ label, draft, bad, onDraft, onDone }: InputProps) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.current?.select();
  }, []);
  return (
    <input
      ref={input}
      class="chip-edit mono"
      aria-label={`Change ${label}`}
      aria-invalid={bad !== ''}
      title={bad}
      spellcheck={false}
      size={Math.min(48, Math.max(8, draft.length + 1))}
      value={draft}
      onInput={(e) => {
        onDraft(e.currentTarget.value);
      }}
      onBlur={() => {
        if (bad === '') onDone();
        else onDraft(undefined);
      }}
      onKeyDown={(e) => {
        if (e.key === 'Enter') onDone();
        else if (e.key === 'Escape') onDraft(undefined);
        e.stopPropagation();
      }}
    />
  );
}

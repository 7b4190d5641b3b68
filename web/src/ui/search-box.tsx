import type { TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Pattern } from '../logic/names/pattern';
import { Icon } from './icons';
import { useDraft } from './use-draft';

interface Props {
  /** The search in the address. */
  readonly value: string;
  readonly pattern: Pattern;
  /** Number of matches, as text; empty while unknown. */
  readonly found: string;
  /** Increases when the box should take the focus. */
  readonly focusKey: number;
  /** Enter filters; `flame`: the flame graph with the matches. Undefined when there is nothing to filter. */
  readonly enter: { readonly flame: { readonly href: string; readonly go: () => void } | undefined } | undefined;
  readonly onType: (text: string) => void;
  readonly onEnter: (text: string) => void;
  /** Steps to the next or previous match, in views that can. */
  readonly onStep: ((by: 1 | -1) => void) | undefined;
  readonly begin: () => () => void;
}

/** A regular expression to highlight; Enter turns it into a filter. */
export function SearchBox({ value, pattern, found, focusKey, enter, onType, onEnter, onStep, begin }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const { text: draft, type, settle } = useDraft(value, onType, begin);
  // Before the next key arrives.
  useLayoutEffect(() => {
    if (focusKey > 0) input.current?.select();
  }, [focusKey]);

  const enterDraft = (): void => {
    settle();
    onEnter(draft);
  };
  const onKeyDown = searchKeys({ draft, type, onEnter: enterDraft, onStep });
  const bad = pattern.kind === 'bad' && pattern.source === draft ? pattern : undefined;
  return (
    <div class="search">
      <div class={bad === undefined ? 'search-field' : 'search-field bad'}>
        <Icon name="search" />
        <input
          ref={input}
          type="text"
          role="searchbox"
          class="search-input"
          spellcheck={false}
          autocomplete="off"
          value={draft}
          placeholder="Search functions, files…"
          aria-label="Search: a regular expression"
          aria-invalid={bad !== undefined}
          aria-describedby="search-status"
          onInput={(e) => {
            type(e.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
        />
        {draft === '' ? (
          <kbd>/</kbd>
        ) : (
          <ClearButton
            onClear={() => {
              type('');
              input.current?.focus();
            }}
          />
        )}
      </div>
      {onStep !== undefined && bad === undefined && <Steps onStep={onStep} />}
      <div id="search-status" class="search-status" role="status" aria-live="polite">
        {bad === undefined ? found : ''}
      </div>
      {enter !== undefined && bad === undefined && draft !== '' && <Ways flame={enter.flame} onEnter={enterDraft} />}
      {bad !== undefined && <Bad pattern={bad} />}
    </div>
  );
}

interface Keys {
  readonly draft: string;
  readonly type: (text: string) => void;
  readonly onEnter: () => void;
  readonly onStep: ((by: 1 | -1) => void) | undefined;
}

/** Enter filters, arrows go to the next and previous match, Escape clears or leaves the box. */
function searchKeys({ draft, type, onEnter, onStep }: Keys) {
  return (event: TargetedKeyboardEvent<HTMLInputElement>): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    if (event.key === 'Enter') onEnter();
    else if (by !== undefined && onStep !== undefined) {
      onStep(by);
      event.preventDefault();
    } else if (event.key === 'Escape') {
      if (draft === '') event.currentTarget.blur();
      else type('');
      event.stopPropagation();
    }
  };
}

function ClearButton({ onClear }: { readonly onClear: () => void }) {
  return (
    <button type="button" class="quiet" aria-label="Clear search" onClick={onClear}>
      <Icon name="close" />
    </button>
  );
}

function Steps({ onStep }: { readonly onStep: (by: 1 | -1) => void }) {
  return (
    <div class="search-steps">
      <button
        type="button"
        class="quiet"
        aria-label="Previous match"
        title="Previous match (Shift F3, N)"
        onClick={() => {
          onStep(-1);
        }}
      >
        <Icon name="up" />
      </button>
      <button
        type="button"
        class="quiet"
        aria-label="Next match"
        title="Next match (F3, n)"
        onClick={() => {
          onStep(1);
        }}
      >
        <Icon name="down" />
      </button>
    </div>
  );
}

interface WaysProps {
  readonly flame: { readonly href: string; readonly go: () => void } | undefined;
  readonly onEnter: () => void;
}

/** Links that turn the search into a filter, or show its matches in the flame graph. */
function Ways({ flame, onEnter }: WaysProps) {
  return (
    <div class="search-ways">
      <button type="button" class="link" title="Filter every view by this search" onClick={onEnter}>
        Enter: only these
      </button>
      {flame !== undefined && (
        <a
          href={flame.href}
          onClick={(e) => {
            if (e.ctrlKey || e.metaKey || e.shiftKey) return;
            e.preventDefault();
            flame.go();
          }}
        >
          see in Flame graph
        </a>
      )}
    </div>
  );
}

/** An expression that is not valid, with the character at fault. */
function Bad({ pattern: { source, at, message } }: { readonly pattern: Pattern & { readonly kind: 'bad' } }) {
  return (
    <div class="search-bad" role="alert">
      <code>
        {source.slice(0, at)}
        <mark>{source.charAt(at) || ' '}</mark>
        {source.slice(at + 1)}
      </code>
      <span>
        At character {at + 1}: {message}.
      </span>
    </div>
  );
}

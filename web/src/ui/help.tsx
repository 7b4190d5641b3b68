import { useEffect, useRef } from 'preact/hooks';
import { VIEW_LABELS, VIEWS } from '../logic/view-url';
import { Icon } from './icons';

const KEYS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['/', 'Search; Enter keeps only what matches, Esc clears'],
      ['1 … 9, y', VIEWS.map((view) => VIEW_LABELS[view]).join(', ')],
      ['n N, F3', 'To the next match of the search, or the one before'],
      ['m', 'Menu of the selected function'],
      ['Alt ←', 'Back: views, filters and zoom are in the browser’s history'],
      ['Esc', 'Close, or give up the selection'],
      ['?', 'This list'],
    ],
  ],
  [
    'Tables',
    [
      ['↑ ↓', 'Select another function'],
      ['Page ↑ ↓, Home, End', 'Move further'],
      ['Enter', 'Its callers and callees'],
    ],
  ],
  [
    'Tree',
    [
      ['→ ←', 'Open, close; to the first row inside, to the row around'],
      ['e, *', 'Expand the hottest path from here'],
      ['Enter', 'Open or close'],
    ],
  ],
  [
    'Callers',
    [
      ['↑ ↓, Enter', 'Walk to a caller or callee'],
      ['Backspace', 'Back to the function before'],
    ],
  ],
  [
    'Flame graph',
    [
      ['← → ↑ ↓', 'To the neighbour, the caller, the heaviest callee'],
      ['Click', 'Select the frame'],
      ['Enter, double click', 'Zoom to the frame; its callers stay above it'],
      ['Esc', 'Zoom out; twice, or 0: reset zoom'],
      ['s', 'Callers above, callees below the selected function'],
      ['Wheel', 'Scroll; with Ctrl or ⌘, or pinch: zoom at the pointer; with Shift: pan'],
      ['Drag, Shift and arrows', 'Pan'],
      ['+ −', 'Zoom in, out'],
    ],
  ],
  [
    'Source',
    [
      ['↑ ↓', 'Select another line'],
      ['n p', 'To the next hot line below, above'],
      ['Enter, o', 'What the line calls, and what was inlined into it'],
      ['d', 'Disassembly beside the lines'],
      ['e', 'Open the line in the editor'],
    ],
  ],
  [
    'Timeline',
    [
      ['← →, Home, End', 'To another dump'],
      ['Enter, click', 'Show the dump in every view'],
      ['Shift ← →, Enter; drag', 'Compare two dumps in every view'],
      ['Shift Enter', 'Compare the dump with the one that is shown'],
      ['Esc', 'Stop comparing'],
      ['f t o', 'In the table: flame graph, Top, only this'],
    ],
  ],
  [
    'Graph',
    [
      ['Tab, click', 'Select a function'],
      ['← → ↑ ↓', 'To the neighbour, the heaviest caller or callee'],
      ['Enter, double click', 'Focus it'],
      ['Drag, wheel', 'Pan, zoom'],
      ['+ − 0', 'Zoom in, out, fit'],
    ],
  ],
];

interface Props {
  readonly open: boolean;
  readonly version: string;
  readonly onClose: () => void;
}

/** All keys, in the browser's modal dialog. */
export function Help({ open, version, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (open && element?.open === false) element.showModal();
    if (!open && element?.open === true) element.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      class="help"
      aria-labelledby="help-title"
      onClose={onClose}
      onClick={(e) => {
        if (e.target === e.currentTarget) onClose();
      }}
    >
      <div class="help-body">
        <header>
          <h2 id="help-title">Keys and gestures</h2>
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        <div class="help-columns">
          {KEYS.map(([title, keys]) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {keys.map(([key, what]) => (
                  <>
                    <dt>
                      <kbd>{key}</kbd>
                    </dt>
                    <dd>{what}</dd>
                  </>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <p class="help-foot">
          The address holds the whole view: copy it to show somebody the same. Parameters are pprof’s. heapview {version}
        </p>
      </div>
    </dialog>
  );
}

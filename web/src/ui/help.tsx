import { VIEW_LABELS, VIEWS } from '../logic/url/view-url';
import { Dialog } from './dialog';

const KEYS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['/', 'Search; Enter filters by it, Esc clears it'],
      ['1 … 9, y', VIEWS.map((view) => VIEW_LABELS[view]).join(', ')],
      ['n N, F3', 'Next or previous match'],
      ['m', 'Menu of the selected function'],
      [', .', 'Previous or next moment of a recording'],
      [']', 'Show or hide the details panel'],
      ['Alt ←', 'Back: views, filters and zoom are in the browser’s history'],
      ['Esc', 'Close; clear selection'],
      ['?', 'This help'],
    ],
  ],
  [
    'Tables',
    [
      ['↑ ↓', 'Select another function'],
      ['Page ↑ ↓, Home, End', 'Page, first, last'],
      ['Shift ← →', 'On a column head: resize; Shift Enter: fit'],
      ['Enter', 'Callers and callees'],
    ],
  ],
  [
    'Tree',
    [
      ['→ ←', 'Open, close; to the first child, to the parent'],
      ['e, *', 'Expand the hottest path from here'],
      ['Enter', 'Open or close'],
    ],
  ],
  [
    'Callers',
    [
      ['↑ ↓, Enter', 'Go to a caller or callee'],
      ['Backspace', 'Previous function'],
    ],
  ],
  [
    'Flame graph',
    [
      ['← → ↑ ↓', 'Neighbour, caller, largest callee'],
      ['Click', 'Select the frame'],
      ['Enter, double click', 'Zoom to the frame; its callers stay above it'],
      ['Esc', 'Zoom out; 0: reset zoom'],
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
      ['n p', 'Next or previous hot line'],
      ['Enter, o', 'Calls of the line and code inlined into it'],
      ['d', 'Disassembly beside the lines'],
      ['e', 'Open the line in your editor'],
    ],
  ],
  [
    'Timeline',
    [
      ['← →, Home, End', 'To another dump or moment'],
      ['Enter, click', 'Show the dump in every view'],
      ['Shift ← →, Enter; drag', 'Compare two dumps in every view'],
      ['Shift Enter', 'Compare the dump with the current one'],
      ['Esc', 'Clear comparison'],
      ['f t o', 'In the table: flame graph, Top, filter'],
    ],
  ],
  [
    'Graph',
    [
      ['Tab, click', 'Select a function'],
      ['← → ↑ ↓', 'Neighbour, largest caller or callee'],
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

/** All keys. */
export function Help({ open, version, onClose }: Props) {
  return (
    <Dialog open={open} titleId="help-title" title="Keys and gestures" onClose={onClose}>
      {() => (
        <>
          <div class="help-columns">
            {KEYS.map(([title, keys]) => (
              <section key={title}>
                <h3>{title}</h3>
                <dl>
                  {keys.map(([key, effect]) => (
                    <>
                      <dt>
                        <kbd>{key}</kbd>
                      </dt>
                      <dd>{effect}</dd>
                    </>
                  ))}
                </dl>
              </section>
            ))}
          </div>
          <p class="dialog-foot">
            The address holds the whole view: copy it to share it. Parameters are named as in pprof. heapview {version}
          </p>
        </>
      )}
    </Dialog>
  );
}

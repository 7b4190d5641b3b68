import { signal, type ReadonlySignal } from '@preact/signals';
import { isEditor, type Editor } from '../../logic/source/editor';
import { readWidths, withWidth, type Widths } from '../../logic/table/columns';
import type { Browser } from './browser';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** When the details panel is open: with a selection, never, or always. */
export const PANELS = ['auto', 'closed', 'pinned'] as const;
export type Panel = (typeof PANELS)[number];

/** Width of the details panel, in pixels. */
export const PANEL = { least: 240, most: 900, usual: 340 } as const;

/** Appearance of the page, remembered in this browser; what it shows is in the address. */
export interface Prefs {
  readonly theme: ReadonlySignal<Theme>;
  /** Increases when colours change, for code that paints on canvas. */
  readonly paintKey: ReadonlySignal<number>;
  readonly setTheme: (theme: Theme) => void;
  /** Editor for source files. */
  readonly editor: ReadonlySignal<Editor>;
  readonly setEditor: (editor: Editor) => void;
  readonly panel: ReadonlySignal<Panel>;
  readonly setPanel: (panel: Panel) => void;
  readonly panelWidth: ReadonlySignal<number>;
  /** `done`: the width is remembered. */
  readonly setPanelWidth: (width: number, done: boolean) => void;
  /** Widths of table columns that the user dragged. */
  readonly columns: ReadonlySignal<Readonly<Record<string, Widths>>>;
  readonly setColumn: (table: string, key: string, width: number | undefined) => void;
}

const KEY = 'heapview.theme';
const EDITOR = 'heapview.editor';
const PANEL_STATE = 'heapview.panel';
const PANEL_WIDTH = 'heapview.panel-width';
const COLUMNS = 'heapview.columns';

function boundedPanel(width: number): number {
  return Number.isFinite(width) && width > 0 ? Math.round(Math.max(PANEL.least, Math.min(PANEL.most, width))) : PANEL.usual;
}

export function createPrefs(browser: Browser): Prefs {
  const theme = signal<Theme>(THEMES.find((t) => t === browser.recall(KEY)) ?? 'system');
  const paintKey = signal(0);
  const recalled = browser.recall(EDITOR);
  const editor = signal<Editor>(isEditor(recalled) ? recalled : 'none');
  const panel = signal<Panel>(PANELS.find((p) => p === browser.recall(PANEL_STATE)) ?? 'auto');
  const panelWidth = signal(boundedPanel(Number(browser.recall(PANEL_WIDTH))));
  const columns = signal(readWidths(browser.recall(COLUMNS)));
  browser.setTheme(theme.peek());
  browser.onSystemTheme(() => {
    paintKey.value += 1;
  });
  return {
    theme,
    paintKey,
    editor,
    setEditor: (next) => {
      editor.value = next;
      browser.remember(EDITOR, next);
    },
    panel,
    setPanel: (next) => {
      panel.value = next;
      browser.remember(PANEL_STATE, next);
    },
    panelWidth,
    setPanelWidth: (width, done) => {
      panelWidth.value = boundedPanel(width);
      if (done) browser.remember(PANEL_WIDTH, String(panelWidth.peek()));
    },
    columns,
    setColumn: (table, key, width) => {
      columns.value = withWidth(columns.peek(), table, key, width);
      browser.remember(COLUMNS, JSON.stringify(columns.peek()));
    },
    setTheme: (next) => {
      theme.value = next;
      browser.setTheme(next);
      browser.remember(KEY, next);
      paintKey.value += 1;
    },
  };
}

import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { AnyReport } from '../../api/guards';
import type { Meta } from '../../api/types';
import { hasLevels, levelOf, levelPatch, LEVELS, widerLevel, type Level } from '../../logic/url/show-level';
import type { Patch, ViewUrl } from '../../logic/url/view-url';
import type { Browser } from '../page/browser';
import type { ReportState } from '../report/report-state';

/** Frames that are shown where a link does not specify them. */
export interface Show {
  /** The level chosen last in this browser. */
  readonly usual: () => Level;
  /** Shows a level, and remembers it. */
  readonly choose: (level: Level) => void;
  /** Level that replaced the usual one, which would have hidden nearly everything. */
  readonly widened: ReadonlySignal<Level | undefined>;
  /** The address has no level: the user's last one applies unless it leaves nothing to show. */
  readonly begin: () => void;
  readonly watch: (parts: Watched) => void;
}

interface Watched {
  readonly url: ReadonlySignal<ViewUrl>;
  readonly main: ReportState<AnyReport>;
  readonly meta: ReadonlySignal<Meta | undefined>;
  readonly go: (patch: Patch) => void;
  readonly adjust: (patch: Patch) => void;
}

const KEY = 'heapview.show';

export function createShow(browser: Browser): Show {
  const recalled = browser.recall(KEY);
  let usual: Level = LEVELS.find((level) => level === recalled) ?? 'mine';
  const widened = signal<Level | undefined>(undefined);
  let isOpen = false;
  let go: (patch: Patch) => void = () => undefined;
  return {
    usual: () => usual,
    choose: (level) => {
      usual = level;
      isOpen = false;
      widened.value = undefined;
      browser.remember(KEY, level);
      go({ ...levelPatch(level), zoom: '' });
    },
    widened,
    begin: () => {
      isOpen = true;
    },
    watch: ({ url, main, meta, go: goes, adjust }) => {
      go = goes;
      effect(() => {
        const report = main.report.value;
        const symbols = meta.value?.symbols.state;
        const { view } = url.peek();
        if (!isOpen || report === undefined || symbols !== 'done' || !hasLevels(view)) return;
        const level = levelOf(url.peek());
        const { value_total: total, folded_whole: whole, has_base: hasBase } = report.header;
        // The answer may still be that of another level.
        if (level === undefined || report.header.query.every(([name]) => name !== 'hide_kind')) return;
        const next = widerLevel(level);
        if (hasBase || total <= 0 || whole * 2 < total || next === undefined) {
          isOpen = false;
          return;
        }
        widened.value = next;
        adjust({ ...levelPatch(next), zoom: '' });
        if (next === 'all') isOpen = false;
      });
    },
  };
}

import { effect } from '@preact/signals';
import { render } from 'preact';
import './styles/tokens.css';
import './styles/ui.css';
import './styles/page.css';
import { open, place } from './place';
import type { Browser } from './state/page/browser';
import { createStore, type Store } from './state/store';
import { Page } from './shell/page';
import { handleKey } from './shell/keys';

/** Mounts the page. Only this file and place*.ts use window, history and localStorage. */

const browser: Browser = {
  ...place,
  back: () => {
    history.back();
  },
  setTitle: (title) => {
    document.title = title;
  },
  recall: (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  remember: (key, value) => {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Without storage the page works, and forgets preferences.
    }
  },
  copy: async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  },
  copyImage: async (make) => {
    try {
      // Created inside the item: some browsers allow clipboard access only while the click is handled.
      const png = make().then((blob) => blob ?? Promise.reject(new Error('no picture')));
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
      return true;
    } catch {
      return false;
    }
  },
  setTheme: (theme) => {
    document.documentElement.dataset['theme'] = theme;
  },
  onSystemTheme: (changed) => {
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  },
  prefersReducedMotion: () => window.matchMedia('(prefers-reduced-motion: reduce)').matches,
  isVisible: () => document.visibilityState === 'visible',
  onVisible: (changed) => {
    document.addEventListener('visibilitychange', () => {
      changed(document.visibilityState === 'visible');
    });
  },
  openDialogPresent: () => document.querySelector('dialog[open], [role=menu]') !== null,
  openPanelPresent: () => document.querySelector('[popover=auto]:popover-open') !== null,
  watchMedia: (query, changed) => {
    const media = window.matchMedia(query);
    changed(media.matches);
    media.addEventListener('change', () => {
      changed(media.matches);
    });
  },
  openLink: (href) => {
    const link = document.createElement('a');
    link.href = href;
    link.click();
  },
  onKey: (pressed) => {
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener('keydown', pressed);
    };
  },
};

/** Marks the body as idle two frames after the last loading or painting ended. */
function announceIdle(store: Store): void {
  effect(() => {
    const { idle } = store.busy;
    if (!idle.value) {
      document.body.dataset['idle'] = 'false';
      return;
    }
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (idle.peek()) document.body.dataset['idle'] = 'true';
      }),
    );
  });
}

async function mount(root: HTMLElement): Promise<void> {
  const store = createStore(browser, await open());
  document.addEventListener('keydown', (event) => {
    handleKey(store, event);
  });
  // What was there while the page had no data.
  root.replaceChildren();
  render(<Page store={store} />, root);
  announceIdle(store);
}

const root = document.getElementById('app');
if (root !== null)
  mount(root).catch((error: unknown) => {
    root.textContent = `This page cannot be shown: ${error instanceof Error ? error.message : String(error)}`;
  });

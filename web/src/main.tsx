import { effect } from '@preact/signals';
import { render } from 'preact';
import './styles/tokens.css';
import './styles/parts.css';
import './styles/views.css';
import type { Browser } from './state/browser';
import { createStore, type Store } from './state/store';
import { Frame } from './views/frame';
import { handleKey } from './views/keys';

/** Mounts the page; the only file that touches window, history and localStorage. */

function readBoot(): unknown {
  try {
    return JSON.parse(document.getElementById('boot')?.textContent ?? 'null');
  } catch {
    return null;
  }
}

const browser: Browser = {
  readUrl: () => location.pathname + location.search,
  absolute: (href) => new URL(href, location.href).href,
  push: (href) => {
    history.pushState(null, '', href);
  },
  replace: (href) => {
    history.replaceState(null, '', href);
  },
  back: () => {
    history.back();
  },
  onMove: (moved) => {
    window.addEventListener('popstate', moved);
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
      // A browser that stores nothing still shows the page.
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
  setTheme: (theme) => {
    document.documentElement.dataset['theme'] = theme;
  },
  onSystemTheme: (changed) => {
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  },
  wantsCalm: () => window.matchMedia('(prefers-reduced-motion: reduce)').matches,
  listen: (path, { onMessage, onEnd }) => {
    const source = new EventSource(path);
    source.addEventListener('meta', (event) => {
      onMessage(String(event.data));
    });
    // When to try again is decided elsewhere.
    source.addEventListener('error', () => {
      source.close();
      onEnd();
    });
    return () => {
      source.close();
    };
  },
  isVisible: () => document.visibilityState === 'visible',
  onVisible: (changed) => {
    document.addEventListener('visibilitychange', () => {
      changed(document.visibilityState === 'visible');
    });
  },
  openDialogPresent: () => document.querySelector('dialog[open], [role=menu]') !== null,
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

/** Says on the body that nothing is loading or painting, two frames after that became true. */
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

const root = document.getElementById('app');
if (root !== null) {
  const store = createStore(browser, readBoot());
  document.addEventListener('keydown', (event) => {
    handleKey(store, event);
  });
  render(<Frame store={store} />, root);
  announceIdle(store);
}

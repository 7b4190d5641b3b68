/** Interface to the browser; main.tsx implements it, so that all other code can be tested without one. */
export interface Browser {
  /** What answers the page: a server, the engine in a report file, or the engine in a site that opens dropped files. */
  readonly kind: 'server' | 'report' | 'site';
  /** When the report file was made, in nanoseconds since 1970; 0: unknown, or no file. */
  readonly made: number;
  /** The page of a team server that lists this profile; empty: there is none. */
  readonly home: string;
  /** Path and query of the address. */
  readUrl(): string;
  /** `href` of an anchor that opens a path. */
  link(href: string): string;
  /** The whole address of a path on this server. */
  absolute(href: string): string;
  push(href: string): void;
  replace(href: string): void;
  back(): void;
  /** Calls `moved` when back or forward changes the address. */
  onMove(moved: () => void): void;
  setTitle(title: string): void;
  recall(key: string): string | null;
  remember(key: string, value: string): void;
  /** Copies text to the clipboard; returns false if the browser refuses. */
  copy(text: string): Promise<boolean>;
  /** Copies an image to the clipboard; returns false if there is none, or the browser refuses. */
  copyImage(make: () => Promise<Blob | undefined>): Promise<boolean>;
  setTheme(theme: 'light' | 'dark' | 'system'): void;
  /** Calls `changed` when the system's theme changes. */
  onSystemTheme(changed: () => void): void;
  /** Whether a dialog or menu is open: keys then belong to it. */
  openDialogPresent(): boolean;
  /** Whether a panel below a button is open: Escape closes it. */
  openPanelPresent(): boolean;
  /** Calls `changed` with whether a media query matches, now and after each change. */
  watchMedia(query: string, changed: (matches: boolean) => void): void;
  /** Opens a link of another program, such as an editor. */
  openLink(href: string): void;
  /** Calls `pressed` for every key, after the page's own handler; the returned function removes it. */
  onKey(pressed: (event: KeyboardEvent) => void): () => void;
  /** Whether the user prefers reduced motion. */
  prefersReducedMotion(): boolean;
  /** Listens to the events named `meta` of an event stream, and to its end; the returned function closes it. */
  listen(path: string, to: { readonly onMessage: (text: string) => void; readonly onEnd: () => void }): () => void;
  isVisible(): boolean;
  /** Calls `changed` when the page becomes visible or hidden. */
  onVisible(changed: (visible: boolean) => void): void;
  /** Starts a worker for the graph's layout. */
  startLayout(): Promise<Worker>;
}

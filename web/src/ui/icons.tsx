/** Line icons on a 16-pixel grid, drawn for this page; decorative, so hidden from screen readers. */

const PATHS = {
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3 14 14',
  close: 'M4 4l8 8M12 4l-8 8',
  help: 'M5.6 6a2.4 2.4 0 1 1 3.5 2.1c-.8.4-1.1.9-1.1 1.7M8 12.4v.2',
  system: 'M2.5 3.5h11v7.5h-11zM5.5 13.5h5M8 11v2.5',
  light:
    'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  dark: 'M13 9.6A5.6 5.6 0 0 1 6.4 3a5.3 5.3 0 1 0 6.6 6.6Z',
  warning: 'M8 2.2 14.3 13.3H1.7ZM8 6.3v3.4M8 11.4v.3',
  link: 'M6.8 9.2 9.2 6.8M7.4 4.9l1.5-1.5a2.6 2.6 0 0 1 3.7 3.7l-1.5 1.5M8.6 11.1l-1.5 1.5a2.6 2.6 0 0 1-3.7-3.7l1.5-1.5',
  open: 'M2 12.5v-9h4l1.5 2H14v7ZM8 11V7.2M6.3 8.8 8 7.1l1.7 1.7',
  panel: 'M2.5 3h11v10h-11zM10 3v10',
  plus: 'M8 3.5v9M3.5 8h9',
  minus: 'M3.5 8h9',
  up: 'M4 10l4-4 4 4',
  down: 'M4 6l4 4 4-4',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Logo: a flame graph of three frames. */
export function Mark() {
  return (
    <svg class="mark" width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
      <rect class="mark-1" x="1" y="12.5" width="16" height="4.5" rx="1.2" />
      <rect class="mark-2" x="1" y="6.8" width="11" height="4.5" rx="1.2" />
      <rect class="mark-3" x="1" y="1" width="6" height="4.5" rx="1.2" />
    </svg>
  );
}

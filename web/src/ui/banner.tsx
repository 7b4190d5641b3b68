import type { ComponentChildren } from 'preact';
import { Icon } from './icons';

interface Props {
  /** Its name for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
  /** A note reports what was done, a warning what is wrong. */
  readonly kind?: 'warning' | 'note';
  /** Buttons that do what it advises. */
  readonly actions?: ComponentChildren;
  /** Without it the banner stays while its cause does. */
  readonly onClose?: () => void;
}

/** One line across the page: a problem of everything below and what to do, or a note about it. */
export function Banner({ label, children, kind = 'warning', actions, onClose }: Props) {
  return (
    <div class="banner" data-kind={kind} role="region" aria-label={label}>
      <Icon name={kind === 'warning' ? 'warning' : 'help'} />
      <p>{children}</p>
      {actions !== undefined && actions !== false && <div class="banner-actions">{actions}</div>}
      {onClose !== undefined && (
        <button type="button" class="quiet" aria-label={`Dismiss: ${label}`} onClick={onClose}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

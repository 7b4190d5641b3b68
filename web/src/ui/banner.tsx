import type { ComponentChildren } from 'preact';
import { Icon } from './icons';

interface Props {
  /** Accessible name. */
  readonly label: string;
  readonly children: ComponentChildren;
  /** A note reports an action, a warning a problem. */
  readonly kind?: 'warning' | 'note';
  /** Buttons for the advised actions. */
  readonly actions?: ComponentChildren;
  /** Dismisses the banner; without it the banner stays until its cause is gone. */
  readonly onClose?: () => void;
}

/** One line across the page: a problem of the whole page with advice, or a note. */
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

import type { ComponentChildren } from 'preact';
import { Icon } from './icons';

interface Props {
  /** Its name for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
  /** Buttons that do what it advises. */
  readonly actions?: ComponentChildren;
  /** Without it the banner stays while its cause does. */
  readonly onClose?: () => void;
}

/** One line across the page: a problem of everything below, and what to do. */
export function Banner({ label, children, actions, onClose }: Props) {
  return (
    <div class="banner" role="region" aria-label={label}>
      <Icon name="warning" />
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

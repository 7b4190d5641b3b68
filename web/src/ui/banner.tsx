import type { ComponentChildren } from 'preact';
import { Icon } from './icons';

interface Props {
  /** What it is about, for readers. */
  readonly label: string;
  readonly children: ComponentChildren;
  /** Without it the banner stays as long as its cause. */
  readonly onClose?: () => void;
}

/** One line across the page: what is wrong with everything below, and what helps. */
export function Banner({ label, children, onClose }: Props) {
  return (
    <div class="banner" role="region" aria-label={label}>
      <Icon name="warning" />
      <p>{children}</p>
      {onClose !== undefined && (
        <button type="button" class="quiet" aria-label={`Put away: ${label}`} onClick={onClose}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

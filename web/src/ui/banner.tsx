import type { ComponentChildren } from 'preact';
import { Icon } from './icons';

interface Props {
  /** What it is about, for readers. */
  readonly label: string;
  readonly children: ComponentChildren;
  /** A note says what was done, a warning what is wrong. */
  readonly kind?: 'warning' | 'note';
  /** Without it the banner stays as long as its cause. */
  readonly onClose?: () => void;
}

/** One line across the page: what is wrong with everything below, and what helps. */
export function Banner({ label, children, kind = 'warning', onClose }: Props) {
  return (
    <div class="banner" data-kind={kind} role="region" aria-label={label}>
      <Icon name={kind === 'warning' ? 'warning' : 'help'} />
      <p>{children}</p>
      {onClose !== undefined && (
        <button type="button" class="quiet" aria-label={`Put away: ${label}`} onClick={onClose}>
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

import type { ComponentChildren } from 'preact';

interface Props {
  readonly title: string;
  readonly message: string;
  readonly hint?: string;
  /** The way out: links or buttons. */
  readonly children?: ComponentChildren;
  readonly kind?: 'error' | 'empty';
}

/** What happened, why, and the way out; stands where the view would be. */
export function ProblemBox({ title, message, hint = '', children, kind = 'error' }: Props) {
  return (
    <div class={`problem ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <h2>{title}</h2>
      <p class="problem-message">
        <bdi>{message}</bdi>
      </p>
      {hint !== '' && <p class="problem-hint">{hint}</p>}
      {children !== undefined && <div class="problem-ways">{children}</div>}
    </div>
  );
}

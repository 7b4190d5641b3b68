import type { ComponentChildren } from 'preact';

interface Props {
  readonly title: string;
  readonly message: string;
  readonly hint?: string;
  /** Links or buttons that help. */
  readonly children?: ComponentChildren;
  readonly kind?: 'error' | 'empty';
}

/** A problem in place of the view: what happened, why, and buttons that help. */
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

import { Icon } from './icons';

interface Props {
  readonly field: string;
  readonly text: string;
  readonly full: string;
  readonly broken: boolean;
  readonly onRemove: () => void;
}

/** One filter in force, with a way to take it off. */
export function Chip({ field, text, full, broken, onRemove }: Props) {
  return (
    <span class={broken ? 'chip broken' : 'chip'} title={`${field} = ${full}`} data-field={field}>
      <span class="chip-field">{field}</span>
      <bdi class="chip-text mono">{text}</bdi>
      <button type="button" class="chip-remove" aria-label={`Remove ${field} ${text.slice(0, 80)}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </span>
  );
}

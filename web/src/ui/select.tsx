export interface Option {
  readonly value: string;
  readonly label: string;
}

interface Props {
  readonly label: string;
  /** Shown before the box; if empty, only the accessible label names the field. */
  readonly caption?: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
  readonly name: string;
}

/** The browser's own select, with a caption: keyboard and screen readers support it. */
export function Select({ label, caption = '', value, options, onChange, name }: Props) {
  const known = options.some((o) => o.value === value);
  return (
    <label class="select">
      {caption !== '' && <span class="select-caption">{caption}</span>}
      <select
        name={name}
        aria-label={label}
        title={label}
        value={value}
        onChange={(e) => {
          onChange(e.currentTarget.value);
        }}
      >
        {options.map((o) => (
          <option key={o.value} value={o.value}>
            {o.label}
          </option>
        ))}
        {!known && <option value={value}>{value}</option>}
      </select>
    </label>
  );
}

interface SegmentedProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
  readonly name: string;
}

/** Few choices side by side, as radio buttons. */
export function Segmented({ label, value, options, onChange, name }: SegmentedProps) {
  return (
    <div class="segmented" role="radiogroup" aria-label={label}>
      {options.map((o) => (
        <label key={o.value} class={o.value === value ? 'on' : ''}>
          <input
            type="radio"
            name={name}
            value={o.value}
            checked={o.value === value}
            onChange={() => {
              onChange(o.value);
            }}
          />
          <span>{o.label}</span>
        </label>
      ))}
    </div>
  );
}

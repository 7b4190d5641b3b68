import { formatDelta, formatExact } from '../logic/format';

interface Props {
  readonly value: number;
  readonly base: number;
  readonly unit: string;
  readonly outputUnit: string;
}

/** A difference: its sign says what its colour says. */
export function Delta({ value, base, unit, outputUnit }: Props) {
  const change = value - base;
  const kind = change > 0 ? 'up' : change < 0 ? 'down' : 'same';
  return (
    <span class={`delta ${kind}`} title={formatExact(change, unit)}>
      {formatDelta(change, unit, outputUnit)}
    </span>
  );
}

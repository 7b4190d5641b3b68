import { formatDelta, formatExact } from '../logic/text/format';
import { isNoise, sureText, type Sure } from '../logic/text/sampling-error';

interface Props {
  readonly value: number;
  readonly base: number;
  readonly unit: string;
  readonly outputUnit: string;
  /** Of a sampled number: a difference that chance may have made is grey. */
  readonly sure?: Sure;
}

/** A difference: its sign says what its colour says. */
export function Delta({ value, base, unit, outputUnit, sure }: Props) {
  const change = value - base;
  const kind = change > 0 ? 'up' : change < 0 ? 'down' : 'same';
  const hidden = isNoise(value, base, sure);
  const words = [formatExact(change, unit), sureText(sure, unit, outputUnit, true), hidden ? 'within sampling noise' : ''];
  return (
    <span class={`delta ${hidden ? 'noise' : kind}`} title={words.filter((word) => word !== '').join('; ')}>
      {formatDelta(change, unit, outputUnit)}
      {hidden && <span class="sr"> within sampling noise</span>}
    </span>
  );
}

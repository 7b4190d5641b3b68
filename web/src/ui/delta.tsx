import { formatDelta, formatExact } from '../logic/text/format';
import { isNoise, samplingErrorText, type SamplingError } from '../logic/text/sampling-error';

interface Props {
  readonly value: number;
  readonly base: number;
  readonly unit: string;
  readonly outputUnit: string;
  /** Sampling error: a difference within noise is grey. */
  readonly samplingError?: SamplingError;
}

/** A signed difference; its colour repeats the sign. */
export function Delta({ value, base, unit, outputUnit, samplingError }: Props) {
  const change = value - base;
  const kind = change > 0 ? 'up' : change < 0 ? 'down' : 'same';
  const hidden = isNoise(value, base, samplingError);
  const words = [
    formatExact(change, unit),
    samplingErrorText(samplingError, unit, outputUnit, true),
    hidden ? 'within sampling noise' : '',
  ];
  return (
    <span class={`delta ${hidden ? 'noise' : kind}`} title={words.filter((word) => word !== '').join('; ')}>
      {formatDelta(change, unit, outputUnit)}
      {hidden && <span class="sr"> within sampling noise</span>}
    </span>
  );
}

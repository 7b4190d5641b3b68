import type { FlameReport, Gross, Spread } from '../../api/types';
import { formatValue, plural } from './format';

/** Sampling errors of numbers, as text. */

/** Sampling error of a number; undefined where every allocation was recorded, or errors were not requested. */
export type SamplingError = Spread | null | undefined;

/** Numbers from fewer samples are marked. */
const FEW = 10;

/** Whether a difference is within sampling noise. */
export function isNoise(value: number, base: number, samplingError: SamplingError): boolean {
  return samplingError !== null && samplingError !== undefined && value !== base && Math.abs(value - base) < 2 * samplingError.change_error;
}

/** `± 1.2 MiB, from 9 samples`; empty where all is exact. */
export function samplingErrorText(samplingError: SamplingError, unit: string, outputUnit: string, isChange = false): string {
  if (samplingError === null || samplingError === undefined) return '';
  const n = isChange ? samplingError.samples + samplingError.samples_base : samplingError.samples;
  const error = formatValue(isChange ? samplingError.change_error : samplingError.error, unit, outputUnit);
  return `± ${error}, from ${plural(n, 'sample')}${n < FEW ? ' only' : ''}`;
}

/** `grew 5 MiB, shrank 3 MiB`: both parts of a net change; empty where there is only one. */
export function grossText(grown: number, shrunk: number, unit: string, outputUnit: string): string {
  if (grown === 0 || shrunk === 0) return '';
  return `grew ${formatValue(grown, unit, outputUnit)}, shrank ${formatValue(-shrunk, unit, outputUnit)}`;
}

/** Sampling error of a box of a flame graph. */
export function boxSamplingError(report: FlameReport, box: number): SamplingError {
  const [samples, error, changeError] = [report.cum_samples[box], report.cum_error[box], report.cum_change_error[box]];
  if (samples === undefined || error === undefined || changeError === undefined) return undefined;
  return { samples, samples_base: 0, error, change_error: changeError };
}

/** A number with its sampling error and both parts of its change. */
export function numberWithError(
  number: string,
  samplingError: SamplingError,
  gross: Gross | null | undefined,
  unit: string,
  outputUnit: string,
): string {
  const changes = grossText(gross?.grown ?? 0, gross?.shrunk ?? 0, unit, outputUnit);
  return [number, samplingErrorText(samplingError, unit, outputUnit), changes].filter((text) => text !== '').join(' ');
}

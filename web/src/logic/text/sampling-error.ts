import type { FlameReport, Gross, Spread } from '../../api/types';
import { formatValue, plural } from './format';

/** How sure a number of a sampled profile is, in words. */

/** What is known of it; undefined where every allocation was recorded, and where nobody asked. */
export type Sure = Spread | null | undefined;

/** Fewer samples than this say little more than that there is something. */
const FEW = 10;

/** Whether chance alone makes differences of this size. */
export function isNoise(value: number, base: number, sure: Sure): boolean {
  return sure !== null && sure !== undefined && value !== base && Math.abs(value - base) < 2 * sure.change_error;
}

/** `± 1.2 MiB, from 9 samples`; empty where all is exact. */
export function sureText(sure: Sure, unit: string, outputUnit: string, isChange = false): string {
  if (sure === null || sure === undefined) return '';
  const n = isChange ? sure.samples + sure.samples_base : sure.samples;
  const error = formatValue(isChange ? sure.change_error : sure.error, unit, outputUnit);
  return `± ${error}, from ${plural(n, 'sample')}${n < FEW ? ' only' : ''}`;
}

/** `+5 MiB −3 MiB`: what grew and what shrank where one hides the other; empty where only one did. */
export function grossText(grown: number, shrunk: number, unit: string, outputUnit: string): string {
  if (grown === 0 || shrunk === 0) return '';
  return `grew ${formatValue(grown, unit, outputUnit)}, shrank ${formatValue(-shrunk, unit, outputUnit)}`;
}

/** Of a box of a flame graph. */
export function boxSure(report: FlameReport, box: number): Sure {
  const [samples, error, changeError] = [report.cum_samples[box], report.cum_error[box], report.cum_change_error[box]];
  if (samples === undefined || error === undefined || changeError === undefined) return undefined;
  return { samples, samples_base: 0, error, change_error: changeError };
}

/** A number with all that is known of it. */
export function besideText(number: string, sure: Sure, gross: Gross | null | undefined, unit: string, outputUnit: string): string {
  const changes = grossText(gross?.grown ?? 0, gross?.shrunk ?? 0, unit, outputUnit);
  return [number, sureText(sure, unit, outputUnit), changes].filter((text) => text !== '').join(' ');
}

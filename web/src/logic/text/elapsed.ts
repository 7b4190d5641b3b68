import type { GrowthReport, MomentReport, RunClock } from '../../api/types';
import { formatValue } from './format';

/** Times of a recording, counted from its beginning. */

const [MINUTE, HOUR] = [60, 3600];

/** Seconds since a recording began: `118 ms`, `12.434 s`, `1 min 5.2 s`, `2 h 3 min 4 s`. Stamps are whole milliseconds. */
export function formatElapsed(seconds: number): string {
  const millis = Math.round(seconds * 1000);
  if (Math.abs(millis) < 1000) return `${millis} ms`;
  const whole = millis / 1000;
  if (whole < MINUTE) return `${Number(whole.toFixed(3))} s`;
  const [hours, minutes] = [Math.floor(whole / HOUR), Math.floor((whole % HOUR) / MINUTE)];
  const rest = Number((whole % MINUTE).toFixed(hours > 0 ? 0 : 3));
  const parts = [hours > 0 ? `${hours} h` : '', minutes > 0 ? `${minutes} min` : '', rest > 0 ? `${rest} s` : ''];
  return parts.filter((part) => part !== '').join(' ');
}

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P'];

/** Three digits and a decimal prefix: `805`, `1.23 M`, `12.3 G`. */
function shortCount(count: number): string {
  let [rest, prefix] = [count, 0];
  while (Math.abs(rest) >= 999.5 && prefix < PREFIXES.length - 1) [rest, prefix] = [rest / 1000, prefix + 1];
  if (prefix === 0) return String(Math.round(rest));
  const decimals = Math.abs(rest) < 9.995 ? 2 : Math.abs(rest) < 99.95 ? 1 : 0;
  return `${rest.toFixed(decimals)} ${PREFIXES[prefix] ?? ''}`;
}

/** A time by the clock of its recording: `118 ms`, `1.23 M instructions`, `6.37 MiB allocated`. */
export function formatClock(at: number, clock: RunClock): string {
  switch (clock) {
    case 'time':
      return formatElapsed(at / 1e9);
    case 'instructions':
      return `${shortCount(at)} instructions`;
    case 'allocated_bytes':
      return `${formatValue(at, 'bytes')} allocated`;
    case 'units':
      return `${shortCount(at)} units`;
  }
}

/** Clocks of the axes of recordings, and how much of them a unit of the axis is. */
const AXES: Readonly<Record<string, readonly [RunClock, number]>> = {
  s: ['time', 1e9],
  Minstr: ['instructions', 1e6],
  MiB: ['allocated_bytes', 2 ** 20],
  Munit: ['units', 1e6],
};

/** How much of its clock a unit of the axis of a recording is. */
export function axisSize(axis: string): number {
  return AXES[axis]?.[1] ?? 1e9;
}

/** A length on the axis of a recording. */
export function formatOnAxis(length: number, axis: string): string {
  return formatClock(length * axisSize(axis), AXES[axis]?.[0] ?? 'time');
}

/** Whether an axis has times of a recording that are no seconds. */
export function isCounted({ axis }: Pick<GrowthReport, 'axis'>): boolean {
  return axis !== 's' && axis in AXES;
}

/** A moment as text: `118 ms (peak)`, `251 ms (end)`, `46 ms`. */
export function momentName({ at, clock, is_peak: isPeak, is_end: isEnd }: MomentReport): string {
  return `${formatClock(at, clock)}${isPeak ? ' (peak)' : isEnd ? ' (end)' : ''}`;
}

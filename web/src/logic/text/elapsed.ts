import type { MomentReport } from '../../api/types';

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

export function formatNanos(nanos: number): string {
  return formatElapsed(nanos / 1e9);
}

/** Times in a sentence of the server as the page writes them: `at 118ms of 1.25s` becomes `at 118 ms of 1.25 s`. */
export function withSpaces(text: string): string {
  return text.replaceAll(/(?<![\w.])(\d+(?:\.\d+)?)(ms|s|mins?|hrs?|days?)\b/g, '$1 $2');
}

/** A moment as text: `118 ms (peak)`, `251 ms (end)`, `46 ms`. */
export function momentName({ at_nanos: at, is_peak: isPeak, is_end: isEnd }: MomentReport): string {
  return `${formatNanos(at)}${isPeak ? ' (peak)' : isEnd ? ' (end)' : ''}`;
}

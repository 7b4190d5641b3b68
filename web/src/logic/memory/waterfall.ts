import type { MemoryBar, MemorySeries, MemorySource, ProcessMemory, Waterfall } from '../../api/types';
import { baseName } from '../names/names';
import { formatTime } from '../text/format';

/** Geometry and texts of the waterfall from bytes in use to RSS. */

/** A bar on the axis from 0 to the largest sum, in percent. */
export interface Place {
  readonly left: number;
  readonly width: number;
}

/** Smallest width of a bar, percent. */
const LEAST = 0.4;

/** Largest sum of a waterfall: the right end of its axis. */
export function axisEnd({ bar, rss }: Pick<Waterfall, 'bar' | 'rss'>): number {
  return Math.max(1, rss, ...bar.map(({ start, bytes }) => Math.max(start, start + bytes)));
}

/** Place of each bar; a negative one goes back from where it starts. */
export function placesOf(waterfall: Pick<Waterfall, 'bar' | 'rss'>): readonly Place[] {
  const end = axisEnd(waterfall);
  const percent = (bytes: number): number => (Math.min(Math.max(bytes, 0), end) / end) * 100;
  return waterfall.bar.map(({ start, bytes }) => {
    const [from, to] = [percent(Math.min(start, start + bytes)), percent(Math.max(start, start + bytes))];
    return bytes === 0 ? { left: from, width: 0 } : { left: Math.min(from, 100 - LEAST), width: Math.max(to - from, LEAST) };
  });
}

/** Class of a bar: by what it is, unknown ones hatched. */
export function barClass({ part, bytes, is_known: isKnown }: Pick<MemoryBar, 'part' | 'bytes' | 'is_known'>): string {
  const kind = bytes < 0 ? 'memory-negative' : groupClass(part);
  return isKnown ? kind : `${kind} memory-unknown`;
}

/** Groups of kinds with one colour, bottom first. */
const GROUPS: readonly { readonly name: string; readonly class: string; readonly parts: readonly MemoryBar['part'][] }[] = [
  { name: 'In use', class: 'memory-live', parts: ['live', 'sampling_error', 'rounding'] },
  { name: 'Not in the profile', class: 'memory-untracked', parts: ['untracked'] },
  { name: 'Fragmentation', class: 'memory-holes', parts: ['fragmentation'] },
  { name: 'Thread caches', class: 'memory-caches', parts: ['thread_caches'] },
  { name: 'Free pages', class: 'memory-free', parts: ['free_pages'] },
  {
    name: 'Rest of the allocator',
    class: 'memory-allocator',
    parts: ['internal', 'metadata', 'never_touched', 'swapped', 'allocator_rest'],
  },
  {
    name: 'Outside of the allocator',
    class: 'memory-outside',
    parts: ['other_anonymous', 'stacks', 'static_data', 'files', 'shared_memory', 'kernel', 'between_readings'],
  },
];

function groupClass(part: MemoryBar['part']): string {
  return GROUPS.find(({ parts }) => parts.includes(part))?.class ?? 'memory-outside';
}

/** A part of a stacked column. */
export interface Segment {
  readonly name: string;
  readonly class: string;
  readonly bytes: number;
  /** Share of the largest RSS of the series, percent. */
  readonly height: number;
}

/** A column for each dump of a series, with its segments from the bottom up: negative groups shorten those below them. */
export function columnsOf(series: MemorySeries): readonly (readonly Segment[])[] {
  const largest = Math.max(1, ...series.rss);
  return series.rss.map((_, nth) => {
    let drawn = 0;
    let sum = 0;
    return GROUPS.map(({ name, class: of, parts }) => {
      const bytes = series.band.filter(({ part }) => parts.includes(part)).reduce((all, band) => all + (band.bytes[nth] ?? 0), 0);
      sum += bytes;
      const until = Math.min(Math.max(sum, drawn), largest);
      const height = ((until - drawn) / largest) * 100;
      drawn = until;
      return { name, class: of, bytes, height };
    });
  });
}

/** Names and classes of the groups that a series has. */
export function legendOf(series: MemorySeries): readonly { readonly name: string; readonly class: string }[] {
  return GROUPS.filter(({ parts }) => series.band.some((band) => parts.includes(band.part) && band.bytes.some((bytes) => bytes !== 0)));
}

/** The value type that a waterfall begins with, if the page shows another one. */
export function beginText({ value_type: type, value_note: note }: Pick<ProcessMemory, 'value_type' | 'value_note'>, shown: string): string {
  return type === shown || type === '' ? '' : `, from ${type}${note === '' ? '' : ` (${note})`}`;
}

/** What a file is, whose, and when it was captured. */
export function sourceText({ name, content, pid, time_nanos: time, is_file_time: isFileTime }: MemorySource): string {
  const when = time === 0 ? 'time unknown' : `${isFileTime ? 'written' : 'captured'} ${formatTime(time)}`;
  const of = pid === null || pid === undefined ? '' : `, process ${pid}`;
  return `${baseName(name)}: ${content}${of}, ${when}`;
}

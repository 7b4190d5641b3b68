import type { Label } from './profile';
import { scale, unitOf } from './units';

/** Filters on labels in pprof's notation, as the server reads them (`src/query/tag_filter.rs`). */
export type TagFilter = (labels: readonly Label[]) => boolean;

type Quantity = readonly [number: number, unit: string];
interface Range {
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly unit: string;
}
interface Test {
  readonly test: (text: string) => boolean;
}

/** Reads a filter; `expression` compiles, or throws. One of what ` || ` joins must hold, and of it all that ` && ` joins. */
export function tagFilter(source: string, expression: (source: string) => Test): TagFilter {
  const any = source.split(' || ').map((all) => all.split(' && ').map((clause) => readClause(clause, expression)));
  return (labels) => any.some((all) => all.every((clause) => clause(labels)));
}

function readClause(source: string, expression: (source: string) => Test): TagFilter {
  const at = source.indexOf('=');
  const key = at < 0 ? undefined : source.slice(0, at);
  const value = source.slice(at + 1);
  const ofKey = (label: Label): boolean => key === undefined || label.key === key;
  const within = (range: Range, labels: readonly Label[]): boolean => labels.some((l) => l.kind === 'number' && ofKey(l) && has(range, l));
  const range = readRange(value);
  if (range !== undefined) return (labels) => within(range, labels);
  const patterns = value.split(',').map(expression);
  const ranges = value.split(',').flatMap((part) => readRange(part) ?? []);
  if (key === undefined) return (labels) => patterns.every((p) => labels.some((l) => l.kind === 'text' && p.test(`${l.key}:${l.text}`)));
  return (labels) =>
    labels.some((l) => l.kind === 'text' && ofKey(l) && patterns.some((p) => p.test(l.text))) || ranges.some((r) => within(r, labels));
}

function has(range: Range, label: Label & { readonly kind: 'number' }): boolean {
  const [scaled, symbol] = scale(label.number, unitOf(label.key, label.unit), range.unit);
  return symbol === range.unit && scaled >= (range.low ?? -Infinity) && scaled <= (range.high ?? Infinity);
}

function readRange(value: string): Range | undefined {
  const at = value.indexOf(':');
  const [from, to] = at < 0 ? [value, value] : [value.slice(0, at), value.slice(at + 1)];
  if (from === '' && (at < 0 || to === '')) return undefined;
  const low = from === '' ? undefined : quantity(from);
  const high = to === '' ? undefined : quantity(to);
  if ((from !== '' && low === undefined) || (to !== '' && high === undefined)) return undefined;
  const unit = (low ?? high)?.[1] ?? '';
  const [, symbol] = scale(1, unit, unit);
  const scaled = ([number, own]: Quantity): number | undefined => {
    const [value, inUnit] = scale(number, own, own === unit ? unit : symbol);
    return inUnit === symbol ? value : undefined;
  };
  const [lowest, highest] = [low, high].map((bound) => (bound === undefined ? undefined : scaled(bound)));
  if ((low !== undefined && lowest === undefined) || (high !== undefined && highest === undefined)) return undefined;
  return { low: lowest, high: highest, unit: symbol };
}

/** A whole number with a unit of letters behind it, or none. */
function quantity(text: string): Quantity | undefined {
  const found = /^([+-]?\d+)([A-Za-z]*)$/.exec(text);
  return found === null ? undefined : [Number(found[1]), found[2] ?? ''];
}

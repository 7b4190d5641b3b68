import type { Row, RunReport } from '../../api/types';
import { functionOf } from '../../logic/names/names';
import { blamePatch } from '../../logic/names/pattern';
import { formatClock } from '../../logic/text/elapsed';
import { formatCount, formatPercent, formatValue, plural } from '../../logic/text/format';
import { revealPatch } from '../../logic/url/show-level';
import type { Store } from '../../state/store';
import { FunctionName } from '../../ui/function-name';

interface Part {
  /** What the table says, in a line. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly Line[];
  /** Value type of the numbers, which links to functions show. */
  readonly valueType?: string;
  readonly isOpen?: boolean;
}

interface Line {
  /** The first cell: a function, which is a link, or a text. */
  readonly name: Row | string;
  readonly cells: readonly string[];
}

const bytes = (value: number) => formatValue(value, 'bytes');

/** Rules for blocks in use at the end on purpose, with what they hide. */
function suppressions({ suppression }: RunReport): Part {
  return {
    title: `${plural(suppression.length, 'suppression')} matched`,
    columns: ['Pattern', 'Stacks', 'Bytes at the end'],
    rows: suppression.map(({ pattern, n_stacks: n, bytes: hidden }) => ({ name: pattern, cells: [formatCount(n), bytes(hidden)] })),
  };
}

/** Blocks by a label, such as pools and zones of Tracy. */
function groups({ group = [] }: RunReport): Part[] {
  const labels = [...new Set(group.map(({ label }) => label))];
  return labels.map((label) => ({
    title: `By ${label}`,
    columns: [label, 'Allocations', 'Allocated', 'At the peak', 'At the end'],
    rows: group
      .filter((of) => of.label === label)
      .map((of) => ({
        name: of.value,
        cells: [formatCount(of.allocations), bytes(of.allocated_bytes), bytes(of.peak_bytes), bytes(of.end_bytes)],
      })),
    isOpen: true,
  }));
}

/** Titles of lists of the largest, and whether these are so by their bytes. */
const TOP: Readonly<Record<string, readonly [string, boolean]>> = {
  inuse_space: ['Largest leaks', true],
  alloc_objects: ['Most allocations', false],
  temp_objects: ['Most temporary allocations', false],
};

/** Who leaks most, allocates most often, and does so for an instant. */
function largest({ blocks: { top } }: RunReport): Part[] {
  return top.map(({ value_type: valueType, culprit }) => {
    const [title, isByBytes] = TOP[valueType] ?? [valueType, true];
    return {
      title,
      columns: isByBytes ? ['Function', 'Bytes', 'Blocks'] : ['Function', 'Allocations', 'Bytes'],
      rows: culprit.map(({ row, objects, bytes: size }) => ({
        name: row,
        cells: isByBytes ? [bytes(size), formatCount(objects)] : [formatCount(objects), bytes(size)],
      })),
      isOpen: true,
      valueType,
    };
  });
}

function lifetimes({ blocks, allocations }: RunReport): Part {
  return {
    title: 'Lifetimes of blocks',
    columns: ['Lifetime', 'Allocations', 'Share', 'Allocated'],
    rows: blocks.lifetime.map((of) => ({
      name: of.name,
      cells: [formatCount(of.objects), formatPercent(of.objects, allocations), bytes(of.bytes)],
    })),
    isOpen: true,
  };
}

function reallocations({ blocks: { reallocation: of } }: RunReport): Part {
  const rows = of?.culprit ?? [];
  return {
    title:
      of === undefined || of === null
        ? ''
        : `${plural(of.objects, 'reallocation')} of ${plural(of.chains, 'block')}: ${bytes(of.moved_bytes)} copied to other addresses, at most ${formatCount(Math.max(of.longest - 1, 0))} of one block`,
    columns: ['Function', 'Reallocations', 'Bytes before'],
    rows: rows.map(({ row, objects, bytes: before }) => ({ name: row, cells: [formatCount(objects), bytes(before)] })),
    valueType: 'realloc_space',
  };
}

function freedAtEnd({ blocks: { freed_at_end: of }, clock }: RunReport): Part {
  const rows = of?.culprit ?? [];
  return {
    title:
      of === undefined || of === null
        ? ''
        : `Freed only at the end: ${bytes(of.bytes)} in ${plural(of.objects, 'block')}, still in use after ${formatClock(of.at, clock)}`,
    columns: ['Function', 'Blocks', 'Bytes'],
    rows: rows.map(({ row, objects, bytes: freed }) => ({ name: row, cells: [formatCount(objects), bytes(freed)] })),
  };
}

/** What else a recording says of its blocks; tables that would be empty are left out. */
export function RecordingTables({ store, run }: { readonly store: Store; readonly run: RunReport }) {
  const parts = [...largest(run), ...groups(run), lifetimes(run), reallocations(run), freedAtEnd(run), suppressions(run)];
  const filled = parts.filter(({ rows }) => rows.length > 0);
  return filled.length === 0 ? null : (
    <section class="summary-part recording-tables" aria-label="Blocks of the recording">
      {filled.map((part) => (
        <PartTable key={part.title} store={store} part={part} />
      ))}
    </section>
  );
}

function PartTable({ store, part }: { readonly store: Store; readonly part: Part }) {
  const { title, columns, rows, isOpen = false, valueType } = part;
  return (
    <details class="recording-table" open={isOpen}>
      <summary>{title}</summary>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cells }) => (
            <tr key={typeof name === 'string' ? name : functionOf(name)}>
              <th scope="row" class="mono">
                {typeof name === 'string' ? <bdi>{name}</bdi> : <FunctionLink store={store} row={name} valueType={valueType} />}
              </th>
              {cells.map((cell, at) => (
                <td key={columns[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

interface FunctionLinkProps {
  readonly store: Store;
  readonly row: Row;
  readonly valueType: string | undefined;
}

/** A function's name, which opens the flame graph of its stacks. */
function FunctionLink({ store, row, valueType }: FunctionLinkProps) {
  const name = functionOf(row);
  const shown = valueType === undefined ? {} : { si: valueType };
  const patch = { ...revealPatch(store.url.value, row.kind), ...blamePatch(name), sel: name, zoom: '', ...shown };
  return (
    <a href={store.href(patch, 'flame')} title={name} aria-label={`Flame graph of ${name}`}>
      <FunctionName name={name} />
    </a>
  );
}

import type { RunReport } from '../../api/types';
import { formatClock } from '../../logic/text/elapsed';
import { formatCount, formatPercent, formatValue, plural } from '../../logic/text/format';

interface Part {
  /** What the table says, in a line. */
  readonly title: string;
  readonly columns: readonly string[];
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly [string, ...string[]])[];
  readonly isOpen?: boolean;
}

const bytes = (value: number) => formatValue(value, 'bytes');

/** Rules for blocks in use at the end on purpose, with what they hide. */
function suppressions({ suppression }: RunReport): Part {
  return {
    title: `${plural(suppression.length, 'suppression')} matched`,
    columns: ['Pattern', 'Stacks', 'Bytes at the end'],
    rows: suppression.map(({ pattern, n_stacks: n, bytes: hidden }) => [pattern, formatCount(n), bytes(hidden)]),
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
      .map((of) => [of.value, formatCount(of.allocations), bytes(of.allocated_bytes), bytes(of.peak_bytes), bytes(of.end_bytes)]),
    isOpen: true,
  }));
}

function lifetimes({ blocks, allocations }: RunReport): Part {
  return {
    title: 'Lifetimes of blocks',
    columns: ['Lifetime', 'Allocations', 'Share', 'Allocated'],
    rows: blocks.lifetime.map((of) => [of.name, formatCount(of.objects), formatPercent(of.objects, allocations), bytes(of.bytes)]),
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
    rows: rows.map(({ row, objects, bytes: before }) => [row.name, formatCount(objects), bytes(before)]),
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
    rows: rows.map(({ row, objects, bytes: freed }) => [row.name, formatCount(objects), bytes(freed)]),
  };
}

/** What else a recording says of its blocks; tables that would be empty are left out. */
export function RecordingTables({ run }: { readonly run: RunReport }) {
  const parts = [...groups(run), lifetimes(run), reallocations(run), freedAtEnd(run), suppressions(run)];
  return <>{parts.map((part) => part.rows.length > 0 && <PartTable key={part.title} {...part} />)}</>;
}

function PartTable({ title, columns, rows, isOpen = false }: Part) {
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
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row" class="mono">
                <bdi>{name}</bdi>
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

import { useSignal } from '@preact/signals';
import { ROW_HEIGHT, type Column } from '../../ui/table/column';
import { DataTable } from '../../ui/table/table';

interface Props {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly n: number;
  /** Marks rows of search matches. */
  readonly rowClass?: (row: number) => string;
  /** A click or Enter. */
  readonly onOpen: (row: number) => void;
}

const HEAD = 32;

/** Height of a table that shows all of its rows without scrolling. */
export function wholeHeight(n: number): { readonly height: string } {
  return { height: `${n * ROW_HEIGHT + HEAD}px` };
}

/** A short table on the Summary, as high as its rows; each row is a link. */
export function SummaryTable({ label, columns, n, rowClass, onOpen }: Props) {
  const cursor = useSignal(-1);
  return (
    <div class="summary-table" style={wholeHeight(n)}>
      <DataTable
        label={label}
        columns={columns}
        n={n}
        selected={cursor.value}
        version={columns}
        rowClass={(at) => `${at === cursor.value ? 'selected' : ''} ${rowClass?.(at) ?? ''}`}
        onSelect={(at) => {
          cursor.value = at;
        }}
        onPick={(at) => {
          cursor.value = at;
          onOpen(at);
        }}
        onOpen={onOpen}
        onMenu={onOpen}
      />
    </div>
  );
}

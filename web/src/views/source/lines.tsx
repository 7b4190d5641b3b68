import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import type { Header, SourceEntry } from '../../api/types';
import { plural } from '../../logic/text/format';
import { heaviest, sourceRows, stepsByLine, widestLine, type SourceRow } from '../../logic/source/lines';
import type { Store } from '../../state/store';
import { Filler } from '../../ui/filler';
import { useRows } from '../../ui/use-rows';
import { lineKeys } from './line-keys';
import { LineRow } from './line-row';
import { CallRow } from './call-row';
import { usePieces } from '../shared/use-highlighting';

interface Props {
  readonly store: Store;
  readonly header: Header;
  readonly entry: SourceEntry;
  /** Number of the selected line. */
  readonly line: number;
  /** Lines whose calls are shown below them. */
  readonly open: ReadonlySet<number>;
  readonly onLine: (line: number) => void;
  readonly onToggle: (line: number) => void;
}

const ROW_HEIGHT = 20;
const HEAD_HEIGHT = 28;

/** Source lines with their values in the gutter; only lines on the screen are in the page. */
export function SourceLines({ store, header, entry, line, open, onLine, onToggle }: Props) {
  const rows = useMemo(() => sourceRows(entry, open), [entry, open]);
  const steps = useMemo(() => stepsByLine(entry), [entry]);
  const width = useMemo(() => widestLine(entry), [entry]);
  const numberAt = (row: SourceRow | undefined): number =>
    row === undefined || row.kind === 'gap' ? 0 : (entry.lines.number[row.index] ?? 0);
  const { first, last, box, height, onScroll, show } = useRows(rows.length, { rowHeight: ROW_HEIGHT, headHeight: HEAD_HEIGHT });
  const at = rows.findIndex((row) => row.kind === 'line' && numberAt(row) === line);

  // A line that was selected elsewhere (address, n and p, machine code) is scrolled to.
  useLayoutEffect(() => {
    if (at >= 0) show(at, true);
  }, [entry, line]);
  useLayoutEffect(() => {
    box.current?.focus({ preventScroll: true });
  }, [entry.name, entry.file]);
  useSearchCount(store, entry);

  const onKeyDown = lineKeys({
    rows,
    at,
    page: Math.max(1, Math.floor(height / ROW_HEIGHT) - 3),
    isOpen: open.has(line),
    hasSteps: steps.has(line),
    onRow: (row) => {
      onLine(numberAt(row));
    },
    onToggle: () => {
      onToggle(line);
    },
  });
  const columns = header.has_base ? 6 : 5;
  const lineRow = useLineRow({ store, header, entry, line, open, onLine, onToggle }, steps);
  return (
    <div
      class="source-scroll"
      ref={box}
      tabIndex={0}
      data-home
      role="group"
      aria-label={`Source lines of ${entry.name}; arrows move, n and p go to hot lines, Enter shows what a line calls`}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <table class="source-table" style={{ minWidth: `calc(${width}ch + ${header.has_base ? 420 : 320}px)` }} aria-label="Source lines">
        <Head hasBase={header.has_base} />
        <tbody>
          <Filler rows={first} rowHeight={ROW_HEIGHT} columns={columns} />
          {rows.slice(first, last).map((row, i) => {
            if (row.kind === 'gap') return <GapRow key={`gap ${first + i}`} n={row.n} columns={columns} />;
            if (row.kind === 'step')
              return <CallRow key={`step ${first + i}`} store={store} header={header} entry={entry} step={row.step} />;
            return lineRow(row.index);
          })}
          <Filler rows={rows.length - last} rowHeight={ROW_HEIGHT} columns={columns} />
        </tbody>
      </table>
    </div>
  );
}

/** Draws a line by its index. */
function useLineRow({ store, header, entry, line, open, onLine, onToggle }: Props, steps: ReturnType<typeof stepsByLine>) {
  const most = useMemo(() => heaviest(entry), [entry]);
  const pieces = usePieces(store, entry);
  const pattern = store.search.value;
  return (index: number) => {
    const number = entry.lines.number[index] ?? 0;
    const text = entry.lines.text[index];
    return (
      <LineRow
        key={`line ${number}`}
        header={header}
        entry={entry}
        index={index}
        most={most}
        pieces={pieces.get(index)}
        isSelected={number === line}
        isHit={pattern.kind === 'ok' && text !== null && text !== undefined && pattern.test(text)}
        nSteps={steps.get(number)?.length ?? 0}
        isOpen={open.has(number)}
        onSelect={onLine}
        onToggle={onToggle}
      />
    );
  };
}

function GapRow({ n, columns }: { readonly n: number; readonly columns: number }) {
  return (
    <tr class="source-gap">
      <td />
      <td colSpan={columns - 1}>{plural(n, 'line')} hidden</td>
    </tr>
  );
}

function Head({ hasBase }: { readonly hasBase: boolean }) {
  return (
    <>
      <colgroup>
        <col class="source-col-number" />
        <col class="source-col-value" />
        <col class="source-col-value" />
        {hasBase && <col class="source-col-delta" />}
        <col class="source-col-bar" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th scope="col" class="right">
            Line
          </th>
          <th scope="col" class="right" title="Allocated by the line itself">
            Flat
          </th>
          <th scope="col" class="right" title="The line with its callees">
            Cum
          </th>
          {hasBase && (
            <th scope="col" class="right" title="Change of Cum from the baseline">
              Δ
            </th>
          )}
          <th scope="col">
            <span class="sr">Share of the largest line</span>
          </th>
          <th scope="col">Source</th>
        </tr>
      </thead>
    </>
  );
}

/** Reports to the search box how many lines match. */
function useSearchCount(store: Store, entry: SourceEntry): void {
  const pattern = store.search.value;
  useEffect(() => {
    const hits = pattern.kind === 'ok' ? entry.lines.text.filter((text) => text !== null && pattern.test(text)).length : undefined;
    store.found.value = hits === undefined ? undefined : { count: hits, noun: 'line' };
    return () => {
      store.found.value = undefined;
    };
  }, [pattern, entry]);
}
